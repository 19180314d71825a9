import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import { stackSettings } from '../storage-stack.ts';
import { type FixtureRecord, postgresSecret } from './fixture-record.ts';

/** Data that a version left behind: a data directory, or a database and a data directory. */
export const worlds = ['killed', 'stopped', 'postgres'] as const;

/** One of {@link worlds}. */
export type World = (typeof worlds)[number];

/** Milliseconds between the kill of the old version and the start of the new one. Scheduled retries are due by then. */
const DOWNTIME_MS = 5 * 60_000;

/** A copy of a fixture, for one test. */
interface Fixture {
  readonly record: FixtureRecord;
  /** Settings for a service that continues with this data. */
  readonly settings: Readonly<Record<string, string>>;
  /** Start time on the service's clock: the sealed links of a data directory are valid only for hours. */
  readonly startingAt?: number;
}

/** Copies a version's fixture to an empty data directory. */
export async function copyFixture(version: string, world: World, data: string): Promise<Fixture> {
  const folder = join('test', 'fixtures', version);
  const readArchive = async (name: string) => brotliDecompressSync(await readFile(join(folder, name)));
  const madeOf = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')) as FixtureRecord;
  await mkdir(data, { recursive: true });
  if (world !== 'postgres') {
    const record = await madeOf('embedded.json');
    await unpack(await readArchive(`${world}.tar.br`), data);
    return { record: record, settings: { DATABASE_URL: '', STORAGE_URL: '' }, startingAt: record.at + DOWNTIME_MS };
  }
  const record = await madeOf('postgres.json');
  await unpack(await readArchive('postgres-data.tar.br'), data);
  const { DATABASE_URL = '' } = await stackSettings(data, 'postgres');
  await restore((await readArchive('postgres.sql.br')).toString(), DATABASE_URL, Date.now() - record.at - DOWNTIME_MS);
  return { record: record, settings: { DATABASE_URL, STORAGE_URL: '', SIGNING_SECRETS: postgresSecret } };
}

async function unpack(archive: Buffer, folder: string): Promise<void> {
  const tar = spawn('tar', ['-x', '--no-same-owner', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] });
  const exited = once(tar, 'exit');
  tar.stdin.end(archive);
  const [code] = await exited;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}

/**
 * Fills a database from a dump, and moves all its times forward by `age` milliseconds, because the server's clock is
 * real.
 */
async function restore(dump: string, url: string, age: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // Lines with a backslash are only for psql.
    await client.query(dump.replaceAll(/^\\.*$/gm, ''));
    const columns = await client.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'timestamp with time zone'`,
    );
    for (const { table_name: table, column_name: column } of columns.rows) {
      await client.query(`update public.${table} set ${column} = ${column} + ${age} * interval '1 millisecond'`);
    }
    await client.query(`update public.account_usage set month = to_char(now() at time zone 'UTC', 'YYYY-MM')`);
  } finally {
    await client.end();
  }
}
