// No deadline: a call may take for ever.
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { answered, rejected } from '../outcome.mjs';

const file = fileURLToPath(new URL('stock.proto', import.meta.url));
const { stock } = grpc.loadPackageDefinition(loader.loadSync(file));
const client = new stock.Stock(`127.0.0.1:${process.env.SERVER_PORT ?? 50051}`, grpc.credentials.createInsecure());

client.Check({ id: '1' }, (error) => (error ? rejected(error) : answered())); //~ uncovered [grpc-js]
