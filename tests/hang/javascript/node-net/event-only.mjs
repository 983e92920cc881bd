// The timer emits an event that nobody hears.
import net from 'node:net';
import { answered, rejected } from '../outcome.mjs';

const port = Number(process.env.SERVER_PORT ?? 8080);

const socket = net.connect({ host: '127.0.0.1', port, timeout: 300 }); //~ uncovered
socket.on('error', rejected);
socket.on('end', answered);
socket.resume();
