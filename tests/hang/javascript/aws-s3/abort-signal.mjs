// A signal ends all tries.
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { answered, rejected } from '../outcome.mjs';

const s3 = new S3Client({
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${process.env.SERVER_PORT ?? 9000}`,
  credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
});

try {
  await s3.send(new ListBucketsCommand({}), { abortSignal: AbortSignal.timeout(300) }); //~ covered 300ms by own [aws-sdk] total
  answered();
} catch (error) {
  rejected(error);
}
