import { mkdir } from 'node:fs/promises';
import S3rver from 's3rver';
import { freePort } from './free-port.ts';

/** An S3-compatible server with one bucket. */
export interface S3Server {
  /** Environment variables with which a client finds it. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a server that stores its files in a folder. */
export async function startS3(bucket: string, folder: string): Promise<S3Server> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const options = { address: '127.0.0.1', port, silent: true, directory: folder };
  const server = new S3rver({ ...options, configureBuckets: [{ name: bucket, configs: [] }] });
  await server.run();
  return {
    environment: {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
    },
    stop: () => server.close(),
  };
}
