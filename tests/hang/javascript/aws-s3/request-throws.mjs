// Until the headers of each try; the body is read inside and has no limit.
// waits 300ms between its tries
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { answered, rejected } from '../outcome.mjs';

const s3 = new S3Client({
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${process.env.SERVER_PORT ?? 9000}`,
  credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
  requestHandler: { requestTimeout: 300, throwOnRequestTimeout: true },
});

try {
  await s3.send(new ListBucketsCommand({})); //~ partial 300ms by client [aws-sdk] headers retries 2
  answered();
} catch (error) {
  rejected(error);
}
