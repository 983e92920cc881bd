// The handlers are chained to the call itself.
import http from 'node:http';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

http
  .get(url, { timeout: 300 }, (res) => { //~ covered 300ms by own [node:http] idle
    res.on('end', answered);
    res.on('error', rejected);
    res.resume();
  })
  .on('timeout', function () {
    this.destroy(new Error('timed out'));
  })
  .on('error', rejected);
