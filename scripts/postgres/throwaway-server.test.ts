/** @module-tag long */

import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { findPostgres } from './find-postgres.ts';
import { startThrowawayServer } from './throwaway-server.ts';

const programs = await findPostgres();

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

test.skipIf(programs === undefined)(
  'creates databases, and removes the server with its folder when it is stopped',
  async () => {
    const server = await startThrowawayServer(programs ?? '');
    try {
      const client = await connect(server.url);
      await client.query('create database another');
      const { rows } = await client.query(
        `select current_setting('server_encoding') as encoding, current_setting('is_superuser') as superuser`,
      );
      expect(rows).toMatchObject([{ encoding: 'UTF8', superuser: 'off' }]);
      await client.end();
    } finally {
      await server.stop();
    }
    await expect(connect(server.url)).rejects.toThrow('ECONNREFUSED');
    await expect(access(server.folder)).rejects.toThrow('ENOENT');
  },
);

test.skipIf(programs === undefined)('keeps committed data of a durable server after a restart', async () => {
  const server = await startThrowawayServer(programs ?? '', { durable: true });
  try {
    const before = await connect(server.url);
    before.on('error', () => undefined);
    await before.query('create table kept as select 7 as number');
    await server.restart();
    await expect(before.query('select 1')).rejects.toThrow();
    const after = await connect(server.url);
    expect((await after.query('select number from kept')).rows).toEqual([{ number: 7 }]);
    await after.end();
  } finally {
    await server.stop();
  }
});

test('reports the output of programs that are not a server', async () => {
  await expect(startThrowawayServer(join(tmpdir(), 'nowhere'))).rejects.toThrow(/initdb/);
});
