/** @module-tag long */

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import {
  chmod,
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { putEmptyDatabase } from '../../../test/support/empty-database.ts';
import { restoreBackup } from './backup.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { openEngine } from './open-engine.ts';
import { DatabaseOpenError } from './open-errors.ts';
import { outdatedSnapshotPathOf, snapshotPathOf } from './snapshot.ts';

const silent = pino({ level: 'silent' });
/** A data folder whose snapshot is older than its database: "later" was written in between. */
let prepared: string;
let folder: string;
let tableFile: string;

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'millrace-prepared-'));
  await putEmptyDatabase(prepared);
  const database = await openEmbeddedDatabase(prepared, silent);
  await database.snapshot();
  await database.query(`insert into service_facts (name, value) values ('later', '')`);
  await database.query('vacuum');
  const [facts] = await database.query<{ file: string }>(`select pg_relation_filepath('service_facts') as file`);
  tableFile = facts?.file ?? '';
  await database.close();
});
afterAll(() => rm(prepared, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-opening-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inDatabase = (...path: string[]) => join(folder, 'database', ...path);
const takePrepared = () => cp(prepared, folder, { recursive: true });
const listing = async () => (await readdir(folder)).toSorted();

async function names(log: Logger = silent): Promise<string[]> {
  const engine = await openEngine(folder, log);
  const { rows } = await engine.query<{ name: string }>('select name from service_facts order by name');
  await engine.close();
  return rows.map(({ name }) => name);
}

/** Expects a start to fail with the reason and the remedy, without moving anything aside or restoring the snapshot. */
async function expectRefusal(...says: RegExp[]): Promise<void> {
  const before = await listing();
  const opening = openEngine(folder, silent);
  await expect(opening).rejects.toThrow(DatabaseOpenError);
  for (const words of says) await expect(opening).rejects.toThrow(words);
  expect(await listing()).toEqual(before);
}

/** Makes the system reject calls for files whose path has a given ending. */
function injectError(call: 'openSync' | 'readSync' | 'writeSync', code: string): void {
  const refusal = Object.assign(new Error(`${code}: injected, ${call}`), { code, syscall: call });
  vi.spyOn(fs, call).mockImplementation(() => {
    throw refusal;
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

describe('a database that cannot be opened for an external reason', () => {
  /** A copy that the tests share, because none of them may change it. Opening it takes half a second of work. */
  let unopened: string;
  beforeAll(async () => {
    unopened = await mkdtemp(join(tmpdir(), 'millrace-unopened-'));
    await cp(prepared, unopened, { recursive: true });
  });
  beforeEach(async () => {
    await rm(folder, { recursive: true });
    await rename(unopened, folder);
  });
  afterEach(() => rename(folder, unopened));
  afterAll(() => rm(unopened, { recursive: true, force: true }));

  test.each([
    ['its version', ['PG_VERSION']],
    ['its control file', ['global', 'pg_control']],
    ['its log', ['pg_wal']],
    ['its settings', ['postgresql.conf']],
    ['a table', ['base', '5', '1259']],
  ])('stays unchanged if %s cannot be read', async (_name, path) => {
    await chmod(inDatabase(...path), 0);
    await expectRefusal(/permission denied/i, /chown -R/);
    await chmod(inDatabase(...path), 0o700);
  });

  test.each([
    ['readSync', 'EIO', /EIO: injected.*Check the disk/],
    ['openSync', 'EMFILE', /EMFILE: injected.*ulimit -n/],
    ['writeSync', 'EDQUOT', /EDQUOT: injected.*Free space/],
    ['readSync', 'ESTALE', /ESTALE: injected.*Fix the cause/],
  ] as const)('stays unchanged if %s fails with %s', async (call, code, words) => {
    injectError(call, code);
    await expectRefusal(words);
    vi.restoreAllMocks();
  });

  test('stays unchanged if an engine of another major version created it', async () => {
    await writeFile(inDatabase('PG_VERSION'), '16\n');
    await expectRefusal(/initialized by PostgreSQL version 16.*Start the version of Millrace that created it/);
    await writeFile(inDatabase('PG_VERSION'), '18\n');
  });

  test('opens with its data when the reason is gone', async () => {
    expect(await names()).toContain('later');
  });
});

test('openEngine opens a database whose files have additional hard links', async () => {
  await takePrepared();
  await link(inDatabase('PG_VERSION'), join(folder, 'copy'));
  expect(await names()).toContain('later');
});

test.each([
  ['pg_wal', /pg_wal is a symbolic link\. Replace it with the actual file or folder/],
  ['PG_VERSION', /PG_VERSION is a symbolic link\. Replace it with the actual file or folder/],
])('openEngine rejects a symbolic link in a database: %s', async (name, words) => {
  await takePrepared();
  await rename(inDatabase(name), join(folder, 'elsewhere'));
  await symlink(join(folder, 'elsewhere'), inDatabase(name));
  await expectRefusal(words);
});

/** Whether this process may mount a file system. */
const canMount = (() => {
  const place = fs.mkdtempSync(join(tmpdir(), 'millrace-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false;
  } finally {
    fs.rmdirSync(place);
  }
})();

describe.skipIf(!canMount)('a database on its own file system (only root may mount one)', () => {
  beforeEach(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', folder]);
    await takePrepared();
  });
  afterEach(() => void execFileSync('umount', ['-l', folder]));

  test('does not count as damaged if the file system is full', async () => {
    const ballast = join(folder, 'ballast');
    const { bavail, bsize } = fs.statfsSync(folder);
    await writeFile(ballast, Buffer.alloc(bavail * bsize));
    await expectRefusal(/ENOSPC: no space left on device.*Free space/);
    await rm(ballast);
    expect(await names()).toContain('later');
  });

  test('does not count as damaged if the file system is read-only', async () => {
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    await expectRefusal(/EROFS: read-only file system.*write access/);
    execFileSync('mount', ['-o', 'remount,rw', folder]);
    expect(await names()).toContain('later');
  });

  test('is not created in place of a mount point', async () => {
    await rm(inDatabase(), { recursive: true });
    await rm(snapshotPathOf(folder));
    await mkdir(inDatabase());
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', inDatabase()]);
    await expect(openEngine(folder, silent)).rejects.toThrow(
      /is a mount point: .+Mount the volume at DATA_DIR instead/,
    );
  });

  test('is not replaced by a backup if it is a mount point, and nothing changes', async () => {
    const backup = join(folder, 'backup.tgz');
    await rename(snapshotPathOf(folder), backup);
    await writeFile(snapshotPathOf(folder), 'the newest');
    await rename(inDatabase(), join(folder, 'volume'));
    await mkdir(inDatabase());
    execFileSync('mount', ['--bind', join(folder, 'volume'), inDatabase()]);
    const before = await listing();
    await expect(restoreBackup(folder, backup)).rejects.toThrow(/is a mount point: .+Mount the volume at DATA_DIR/);
    expect(await listing()).toEqual(before);
    expect(await readFile(snapshotPathOf(folder), 'utf8')).toBe('the newest');
    expect(await names()).toContain('later');
    execFileSync('umount', [inDatabase()]);
    await expectRefusal(/mount it and start again/);
  });

  test('is not left incomplete if the file system is full', async () => {
    await rm(inDatabase(), { recursive: true });
    await rm(snapshotPathOf(folder));
    const { bavail, bsize } = fs.statfsSync(folder);
    await writeFile(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - 5_000_000));
    await expectRefusal(/ENOSPC.*Free space/);
    await rm(join(folder, 'ballast'));
    expect(await names()).toEqual([]);
  });
});

describe('a damaged database', () => {
  beforeEach(takePrepared);

  test.each([
    ['a control file of zeros', () => writeFile(inDatabase('global', 'pg_control'), Buffer.alloc(8_192))],
    ['an invalid version', () => writeFile(inDatabase('PG_VERSION'), 'xx\n')],
    ['an empty table', () => writeFile(inDatabase(tableFile), '')],
    ['a page of garbage', () => writeFile(inDatabase('base', '5', '1259'), Buffer.alloc(8_192, 7))],
  ])('is replaced by its snapshot: %s', async (_name, damage) => {
    await damage();
    expect(await names()).not.toContain('later');
    expect((await readdir(folder)).filter((name) => name.startsWith('database.broken-'))).toHaveLength(1);
  });

  test('is moved aside, and a log entry states the losses', async () => {
    const written = new Date('2026-11-20T10:20:30.000Z');
    await utimes(snapshotPathOf(folder), written, written);
    await rm(inDatabase('global'), { recursive: true });
    const lines: string[] = [];
    await names(pino({ level: 'warn' }, { write: (line) => lines.push(line) }));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      written: written.toISOString(),
      msg: expect.stringMatching(/damaged and was moved aside.*Everything since 2026-11-20T10:20:30.000Z is lost/),
    });
  });
});

test.each([
  ['damaged', /outdated\.tgz/, () => rm(inDatabase('global'), { recursive: true })],
  ['missing', /outdated\.tgz/, () => rm(inDatabase(), { recursive: true })],
])('openEngine does not restore an outdated snapshot if the database is %s', async (_name, words, damage) => {
  await takePrepared();
  await rename(snapshotPathOf(folder), outdatedSnapshotPathOf(folder));
  await damage();
  const before = await listing();
  await expect(openEngine(folder, silent)).rejects.toThrow(words);
  expect(await listing()).toEqual(before);
});

test('openEngine does not use the remains of a restore that was killed while unpacking', async () => {
  await takePrepared();
  await cp(inDatabase(), join(folder, 'database.unpacking'), { recursive: true });
  await rename(inDatabase(), join(folder, 'elsewhere'));
  await expectRefusal(/mount it and start again/);
  await rename(join(folder, 'elsewhere'), inDatabase());
  expect(await names()).toContain('later');
  expect(await listing()).not.toContain('database.unpacking');
});

test('openEngine succeeds after a first start that was killed while creating the database', async () => {
  await mkdir(join(folder, 'database.unpacking', 'base'), { recursive: true });
  await writeFile(join(folder, 'database.unpacking', 'PG_VERSION'), '');
  expect(await names()).toEqual([]);
  expect(await readdir(folder)).toEqual(['database']);
});
