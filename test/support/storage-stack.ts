import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { startS3 } from './s3.ts';

/** Database and storage of services: the embedded database and the disk, or those that several processes can share. */
export type Stack = 'embedded' | 'postgres' | 'postgres+s3';

/**
 * The stack of the services under test. `TEST_STACK` is `embedded` (the default), `postgres`, or `postgres+s3`. The
 * latter two need `TEST_DATABASE_URL`, a PostgreSQL role that may create databases.
 */
export const stack = stackOf(process.env.TEST_STACK ?? 'embedded');

function stackOf(name: string): Stack {
  if (name === 'embedded' || name === 'postgres' || name === 'postgres+s3') return name;
  throw new Error(`TEST_STACK must be embedded, postgres or postgres+s3, not ${name}`);
}

const BUCKET = 'files';

/**
 * Starts the servers that all services share, and publishes their settings to the test processes. Returns a function
 * that stops them.
 */
export async function startStack(folder: string): Promise<() => Promise<void>> {
  if (stack !== 'postgres+s3') return async () => undefined;
  const { environment, stop } = await startS3(BUCKET, join(folder, 's3'));
  Object.assign(process.env, environment);
  return stop;
}

/** Returns the settings of a service for a stack. Services with the same data directory have the same database. */
export async function stackSettings(dataDirectory: string, on: Stack = stack): Promise<Record<string, string>> {
  if (on === 'embedded') return {};
  const name = nameOf(dataDirectory);
  const settings = { DATABASE_URL: await database(name) };
  if (on === 'postgres') return settings;
  const credentials = ['AWS_ENDPOINT_URL_S3', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'];
  return {
    ...settings,
    STORAGE_URL: `s3://${BUCKET}/${name}`,
    ...Object.fromEntries(credentials.map((variable) => [variable, process.env[variable] ?? ''])),
  };
}

/** Returns the name of a service's database, and of its folder in the store. */
function nameOf(dataDirectory: string): string {
  return `millrace_${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 24)}`;
}

/** Returns the keys of all files that a service with this data directory has stored, in order. */
export async function storedFiles(dataDirectory: string): Promise<string[]> {
  if (stack === 'postgres+s3') return await keysInStore(`${nameOf(dataDirectory)}/`);
  const entries = await readdir(join(dataDirectory, 'files'), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() && isStoredFile(entry.name) ? [entry.name] : [])).sort();
}

/** Whether a name in a store is that of a job's file, and not the store's mark. */
function isStoredFile(name: string): boolean {
  return name !== 'store.json';
}

async function keysInStore(prefix: string): Promise<string[]> {
  const client = new S3Client({ forcePathStyle: true });
  try {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix }));
    return Contents.map(({ Key = '' }) => Key.slice(prefix.length))
      .filter(isStoredFile)
      .sort();
  } finally {
    client.destroy();
  }
}

/** Creates a database unless it exists, and returns its address. */
async function database(name: string): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: PostgreSQL databases are created there');
  const client = new pg.Client(server);
  await client.connect();
  try {
    // Nodes of one service start concurrently; the lock ends with the connection.
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
