import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { putEmptyDatabase } from '../../test/support/empty-database.ts';
import type { Database } from './database.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts';
import { FolderInUseError } from './lock.ts';
import { migrate, SchemaTooNewError } from './migrate.ts';

const silent = pino({ level: 'silent' });
let folder: string;
const opened: EmbeddedDatabase[] = [];

const open = async () => {
  const database = await openEmbedded(folder, silent);
  opened.push(database);
  return database;
};
const names = (database: Database) => database.query<{ name: string }>('select name from service_facts order by name');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-embedded-'));
  await putEmptyDatabase(folder);
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await rm(folder, { recursive: true, force: true });
});

const add = (database: Database, name: string) =>
  database.query(`insert into service_facts (name, value) values ($1, '')`, [name]);

describe('the embedded database', () => {
  test('is made where there is none', async () => {
    await rm(join(folder, 'database'), { recursive: true });
    const database = await open();
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('keeps what was written, and a failed transaction leaves nothing', async () => {
    const first = await open();
    await migrate(first);
    await add(first, 'kept');
    const failing = first.transaction(async (sql) => {
      await sql.query(`insert into service_facts (name, value) values ('lost', '')`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await opened.pop()?.close();
    expect(await names(await open())).toEqual([{ name: 'kept' }]);
  });

  test('is open in one process at a time', async () => {
    await open();
    await expect(openEmbedded(folder, silent)).rejects.toThrow(FolderInUseError);
  });

  test('takes up its snapshot when it is damaged or gone', async () => {
    const first = await open();
    await migrate(first);
    await add(first, 'in the snapshot');
    await first.snapshot();
    await add(first, 'after it');
    await opened.pop()?.close();

    await writeFile(join(folder, 'database', 'PG_VERSION'), 'rubbish');
    await rm(join(folder, 'database', 'global'), { recursive: true });
    expect(await names(await open())).toEqual([{ name: 'in the snapshot' }]);
    await opened.pop()?.close();
    expect((await readdir(folder)).some((name) => name.startsWith('database.broken-'))).toBe(true);

    await rm(join(folder, 'database'), { recursive: true });
    expect(await names(await open())).toEqual([{ name: 'in the snapshot' }]);
  });
});

describe('migrations', () => {
  test('run once', async () => {
    const database = await open();
    await migrate(database);
    await migrate(database);
    const [count] = await database.query<{ count: number }>('select count(*)::integer as count from schema_migrations');
    const files = await readdir(new URL('./migrations/', import.meta.url));
    expect(count?.count).toBe(files.length);
  });

  test('refuse a database of a newer version', async () => {
    const database = await open();
    await migrate(database);
    await database.query(`insert into schema_migrations (version, name) values (9999, 'later')`);
    await expect(migrate(database)).rejects.toThrow(SchemaTooNewError);
  });

  test('that fail leave the schema as it was', async () => {
    const database = await open();
    const folderUrl = new URL(`file://${folder}/migrations/`);
    await mkdir(folderUrl);
    await writeFile(new URL('0001_a.sql', folderUrl), 'create table a (b integer);\ncreate nonsense;\n');
    await expect(migrate(database, folderUrl)).rejects.toThrow(/nonsense/);
    expect(await database.query(`select to_regclass('a')::text as found`)).toEqual([{ found: null }]);
  });
});
