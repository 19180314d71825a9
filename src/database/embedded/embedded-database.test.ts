import { cp, lstat, mkdir, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { putEmptyDatabase } from '../../../test/support/empty-database.ts';
import { FolderInUseError } from '../../files/folder-lock.ts';
import type { Database } from '../database.ts';
import { migrate, SchemaTooNewError } from '../migrate.ts';
import { restoreBackup } from './backup.ts';
import { DamagedDatabaseError } from './damage-checks.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts';
import { DatabaseOpenError } from './open-errors.ts';
import { snapshotPathOf } from './snapshot.ts';

const silent = pino({ level: 'silent' });
let folder: string;
const opened: EmbeddedDatabase[] = [];

const open = async () => {
  const database = await openEmbeddedDatabase(folder, silent);
  opened.push(database);
  return database;
};
const names = (database: Database) => database.query<{ name: string }>('select name from service_facts order by name');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-embedded-'));
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await rm(folder, { recursive: true, force: true });
});

const add = (database: Database, name: string) =>
  database.query(`insert into service_facts (name, value) values ($1, '')`, [name]);

describe('an embedded database', () => {
  beforeEach(() => putEmptyDatabase(folder));

  test('is created if it does not exist', async () => {
    await rm(join(folder, 'database'), { recursive: true });
    const database = await open();
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('keeps committed data, and nothing of a failed transaction', async () => {
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

  test('may be a link to a folder elsewhere, and a missing target is never treated as an empty database', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await rm(join(folder, 'database'), { recursive: true });
    await symlink(elsewhere, join(folder, 'database'));
    await expect(openEmbeddedDatabase(folder, silent)).rejects.toThrow(/is a link to a folder that is missing/);
    await mkdir(elsewhere);
    await add(await open(), 'kept');
    await opened.pop()?.close();
    expect((await lstat(join(folder, 'database'))).isSymbolicLink()).toBe(true);
    expect(await names(await open())).toEqual([{ name: 'kept' }]);
  });

  test('returns the space of deleted rows to the file system', { tags: ['long'] }, async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const database = await open();
    const size = async () =>
      (await database.query<{ bytes: number }>(`select pg_relation_size('backlog')::float8 as bytes`))[0]?.bytes;
    await database.query(`create table backlog as select repeat('x', 1000) as text from generate_series(1, 1000)`);
    await database.query('delete from backlog');
    expect(await size()).toBeGreaterThan(1_000_000);
    vi.advanceTimersByTime(60_000);
    expect(await size()).toBe(0);
  });

  test('aborts a snapshot and stops without waiting for a running backup', async () => {
    const database = await open();
    const settled: string[] = [];
    const backup = database.backup?.().catch(() => settled.push('backup'));
    await database.snapshot(AbortSignal.abort()).catch(() => settled.push('snapshot'));
    await opened.pop()?.close();
    await backup;
    expect(settled).toEqual(['snapshot', 'backup']);
  });

  test('can be open in only one process at a time', { tags: ['long'] }, async () => {
    await open();
    await expect(openEmbeddedDatabase(folder, silent)).rejects.toThrow(FolderInUseError);
  });
});

describe('the database of a killed process', { tags: ['long'] }, () => {
  /** A data folder with one name in its database and one in its snapshot. */
  let left: string;
  let tableFile: string;

  beforeAll(async () => {
    left = await mkdtemp(join(tmpdir(), 'millrace-left-'));
    const source = await mkdtemp(join(tmpdir(), 'millrace-source-'));
    await putEmptyDatabase(source);
    const database = await openEmbeddedDatabase(source, silent);
    await migrate(database);
    await add(database, 'kept');
    await database.snapshot();
    for (const text of ['vacuum', 'checkpoint', 'create table later ()']) await database.query(text);
    const [facts] = await database.query<{ file: string }>(`select pg_relation_filepath('service_facts') as file`);
    tableFile = facts?.file ?? '';
    await cp(source, left, { recursive: true });
    await database.close();
    await rm(source, { recursive: true });
  });
  afterAll(() => rm(left, { recursive: true, force: true }));
  beforeEach(() => cp(left, folder, { recursive: true }));

  const inDatabase = (...path: string[]) => join(folder, 'database', ...path);
  const remove = (...path: string[]) => rm(inDatabase(...path), { recursive: true });
  const empty = (...path: string[]) => truncate(inDatabase(...path));
  const listing = async () => (await readdir(folder)).filter((name) => !name.startsWith('lock')).toSorted();

  test('keeps working', async () => {
    expect(await names(await open())).toEqual([{ name: 'kept' }]);
  });

  test.each<[string, RegExp, () => Promise<unknown>]>([
    ['its version is missing', /PG_VERSION is missing/, () => remove('PG_VERSION')],
    ['its version is empty', /PG_VERSION is empty/, () => empty('PG_VERSION')],
    ['its control file is missing', /pg_control/, () => remove('global', 'pg_control')],
    ['its control file is empty', /pg_control/, () => empty('global', 'pg_control')],
    ['the map of its catalogue is empty', /pg_filenode/, () => empty('global', 'pg_filenode.map')],
    ['its log is missing', /pg_wal/, () => remove('pg_wal')],
    ['its log is empty', /checkpoint/, () => remove('pg_wal').then(() => mkdir(inDatabase('pg_wal')))],
    ['its transaction states are missing', /pg_xact.0000 is missing/, () => remove('pg_xact', '0000')],
    ['its transaction states are empty', /pg_xact.0000 is empty/, () => empty('pg_xact', '0000')],
    ['its tables are missing', /base|database/, () => remove('base')],
    ['a table is missing', /service_facts is truncated or missing/, () => remove(tableFile)],
  ])('is never treated as an empty database if %s', async (_name, reason, damage) => {
    await rm(snapshotPathOf(folder));
    await damage();
    const before = await listing();
    const opening = openEmbeddedDatabase(folder, silent);
    await expect(opening).rejects.toThrow(DamagedDatabaseError);
    await expect(opening).rejects.toThrow(/is damaged: .+, and it has no snapshot\. Restore a backup/);
    await expect(opening).rejects.toThrow(reason);
    expect(await listing()).toEqual(before);
  });

  test('may have tables shorter than the catalogue states, and still opens after the next stop', async () => {
    await rm(snapshotPathOf(folder));
    await empty(tableFile);
    expect(await names(await open())).toEqual([]);
    await opened.pop()?.close();
    expect(await names(await open())).toEqual([]);
  });

  test('leaves no engine running after a failed start', async () => {
    await rm(snapshotPathOf(folder));
    await empty('global', 'pg_filenode.map');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await expect(openEmbeddedDatabase(folder, silent)).rejects.toThrow(DamagedDatabaseError);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['is incomplete', () => remove('PG_VERSION')],
    ['cannot be opened', () => remove('global')],
  ])('is replaced by its snapshot if it %s', async (_name, damage) => {
    await damage();
    expect(await names(await open())).toEqual([{ name: 'kept' }]);
    expect((await readdir(folder)).filter((name) => name.startsWith('database.broken-'))).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['missing', () => remove()],
    ['empty, as a mount point', () => remove().then(() => mkdir(inDatabase()))],
  ])('is not replaced by its snapshot if it is %s', async (_name, damage) => {
    await damage();
    const before = await listing();
    const opening = openEmbeddedDatabase(folder, silent);
    await expect(opening).rejects.toThrow(DatabaseOpenError);
    await expect(opening).rejects.toThrow(/mount it and start again.+millrace restore .+snapshot\.tgz/);
    expect(await listing()).toEqual(before);
    await restoreBackup(folder, snapshotPathOf(folder));
    expect(await names(await open())).toEqual([{ name: 'kept' }]);
  });

  test('is replaced by a backup even if the snapshot cannot be replaced, which is reported', async () => {
    const backup = join(folder, 'backup.tgz');
    await cp(snapshotPathOf(folder), backup);
    await mkdir(`${snapshotPathOf(folder)}.partial`);
    await expect(restoreBackup(folder, backup)).rejects.toThrow(
      /was restored from .+backup\.tgz, but the snapshot .+ could not be replaced: .+; the former database is in .+replaced-/,
    );
    const database = await open();
    // The backup lacks this table.
    expect(await database.query(`select to_regclass('later')::text as found`)).toEqual([{ found: null }]);
    await rm(`${snapshotPathOf(folder)}.partial`, { recursive: true });
  });

  test('is replaced by the new database if the replacement was interrupted', async () => {
    await rename(inDatabase(), join(folder, 'database.replacement'));
    const database = await open();
    // Its snapshot lacks this table.
    expect(await database.query(`select to_regclass('later')::text as found`)).toEqual([{ found: 'later' }]);
    expect((await readdir(folder)).filter((name) => name.includes('replacement'))).toEqual([]);
  });

  test.each<[string, (path: string) => Promise<unknown>]>([
    ['truncated', (path) => truncate(path, 1_000)],
    ['empty', (path) => truncate(path)],
    ['something else', (path) => writeFile(path, gzipSync('something else'))],
  ])('stays unchanged if its snapshot is also %s', async (_name, damage) => {
    await damage(snapshotPathOf(folder));
    await remove('PG_VERSION');
    const before = await listing();
    const opening = openEmbeddedDatabase(folder, silent);
    await expect(opening).rejects.toThrow(DamagedDatabaseError);
    await expect(opening).rejects.toThrow(/snapshot .+ cannot be restored: .+ Replace it with a backup/);
    expect(await listing()).toEqual(before);
  });
});

describe('migrations', () => {
  beforeEach(() => putEmptyDatabase(folder));

  test('run only once', async () => {
    const database = await open();
    await migrate(database);
    await migrate(database);
    const [count] = await database.query<{ count: number }>('select count(*)::integer as count from schema_migrations');
    const files = await readdir(new URL('../migrations/', import.meta.url));
    expect(count?.count).toBe(files.length);
  });

  test('reject a database of a newer version', async () => {
    const database = await open();
    await migrate(database);
    await database.query(`insert into schema_migrations (version, name) values (9999, 'later')`);
    await expect(migrate(database)).rejects.toThrow(SchemaTooNewError);
  });

  test('leave the schema unchanged when they fail', async () => {
    const database = await open();
    const folderUrl = new URL(`file://${folder}/migrations/`);
    await mkdir(folderUrl);
    await writeFile(new URL('9999_a.sql', folderUrl), 'create table a (b integer);\ncreate nonsense;\n');
    await expect(migrate(database, folderUrl)).rejects.toThrow(/nonsense/);
    expect(await database.query(`select to_regclass('a')::text as found`)).toEqual([{ found: null }]);
  });
});
