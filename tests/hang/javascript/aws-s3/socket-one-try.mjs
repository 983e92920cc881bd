// The same in a handler of its own, and one try.
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { answered, rejected } from '../outcome.mjs';

const s3 = new S3Client({
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${process.env.SERVER_PORT ?? 9000}`,
  credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
  maxAttempts: 1,
  requestHandler: new NodeHttpHandler({ socketTimeout: 300 }),
});

try {
  await s3.send(new ListBucketsCommand({})); //~ covered 300ms by client [aws-sdk] idle
  answered();
} catch (error) {
  rejected(error);
}
