// A socket without a timer.
import net from 'node:net';
import { answered, rejected } from '../outcome.mjs';

const port = Number(process.env.SERVER_PORT ?? 8080);

const socket = net.connect({ host: '127.0.0.1', port }); //~ uncovered
socket.on('error', rejected);
socket.on('end', answered);
socket.resume();
