/** @module-tag long */

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createZstdDecompress } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../database.ts';
import { migrate } from '../migrate.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts';
import { unpackDatabase } from './unpack-database.ts';
import { TEMPLATE, unpackTemplate } from './unpack-template.ts';

let folder: string;
let database: EmbeddedDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-template-'));
  database = await openEmbeddedDatabase(join(folder, 'data'), pino({ level: 'silent' }));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Definitions of everything in the schema, one per line. */
async function schemaOf(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ definition: string }>(`
    select format('column %I.%I %s %s default %s', table_name, column_name, data_type, is_nullable, column_default) as definition
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select format('options %s %s', relname, reloptions) from pg_class where relnamespace = 'public'::regnamespace
    union all select format('sequence %s %s', sequencename, start_value) from pg_sequences
    union all select format('migration %s %s', version, name) from schema_migrations
    order by 1`);
  return rows.map(({ definition }) => definition);
}

test('the template contains no rows except those of the migrations: no secrets and no keys', async () => {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables.filter((table) => table.name !== 'schema_migrations')) {
    expect(await database.query(`select * from ${name}`), name).toEqual([]);
  }
});

test('the template has the schema that the migrations create', async () => {
  const before = await schemaOf(database);
  await database.query('drop schema public cascade');
  await database.query('create schema public');
  await migrate(database);
  expect(before.length).toBeGreaterThan(100);
  expect(before).toEqual(await schemaOf(database));
});

test("unpackTemplate restricts the unpacked files and folders to the service's user", async () => {
  const place = join(folder, 'unpacked');
  await unpackTemplate(place);
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThan(300);
  for (const entry of entries) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
  }
});

test('unpackTemplate fails and leaves nothing if the archive is truncated', async () => {
  const place = join(folder, 'cut-off');
  const archive = join(folder, 'cut-off.tar.zst');
  const whole = await readFile(TEMPLATE);
  for (const length of [0, 1_000, whole.length / 2]) {
    await writeFile(archive, whole.subarray(0, length));
    await expect(unpackDatabase(archive, createZstdDecompress(), place), `${length}`).rejects.toThrow();
  }
  expect(await readdir(folder)).not.toContain('cut-off');
});

test('unpackTemplate reports a missing or damaged template as an installation error', async () => {
  const place = join(folder, 'refused');
  const archive = pathToFileURL(join(folder, 'template.tar.zst'));
  const message = /template of this installation is missing or damaged: .+ Reinstall Millrace\.$/;
  await expect(unpackTemplate(place, archive)).rejects.toThrow(message);
  await writeFile(archive, 'something else');
  await expect(unpackTemplate(place, archive)).rejects.toThrow(message);
});
