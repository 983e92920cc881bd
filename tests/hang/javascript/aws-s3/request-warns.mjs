// requestTimeout alone prints a warning and goes on waiting.
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { answered, rejected } from '../outcome.mjs';

const s3 = new S3Client({
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${process.env.SERVER_PORT ?? 9000}`,
  credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
  requestHandler: { requestTimeout: 300 },
});

try {
  await s3.send(new ListBucketsCommand({})); //~ uncovered
  answered();
} catch (error) {
  rejected(error);
}
