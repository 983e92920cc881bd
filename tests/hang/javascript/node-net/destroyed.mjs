// The callback of setTimeout destroys the socket.
import net from 'node:net';
import { answered, rejected } from '../outcome.mjs';

const port = Number(process.env.SERVER_PORT ?? 8080);

const socket = net.connect({ host: '127.0.0.1', port }); //~ covered 300ms by own [node:net] idle
socket.setTimeout(300, () => socket.destroy(new Error('timed out')));
socket.on('error', rejected);
socket.on('end', answered);
socket.resume();
