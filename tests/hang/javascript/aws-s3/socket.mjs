// The gaps on the socket, in each of three tries.
// waits 300ms between its tries
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { answered, rejected } from '../outcome.mjs';

const s3 = new S3Client({
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${process.env.SERVER_PORT ?? 9000}`,
  credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
  requestHandler: { socketTimeout: 300 },
});

try {
  await s3.send(new ListBucketsCommand({})); //~ covered 300ms by client [aws-sdk] idle retries 2
  answered();
} catch (error) {
  rejected(error);
}
