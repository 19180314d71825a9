import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchDisk } from './disk-watch.ts';

let folder: string;
let lines: { level: number; msg: string }[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-disk-watch-'));
  lines = [];
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const watch = (reserve: number) =>
  watchDisk({ folder, reserve, log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }) });
const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const readOnly = Object.assign(new Error('read-only file system'), { code: 'EROFS' });

test('reports a disk with less than the reserve as full, and logs that once', async () => {
  const disk = watch(Number.MAX_SAFE_INTEGER);
  expect(disk.fault).toBeUndefined();
  await disk.check();
  await disk.check();
  expect(disk.fault).toBe('disk_full');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ msg: expect.stringContaining('the worker pauses'), reason: 'disk_full' });
});

test('makes room as long as that helps, and only while there is too little space', async () => {
  let remaining = 3;
  const makeRoom = async () => {
    remaining -= 1;
    return remaining > 0;
  };
  const look = async (reserve: number) =>
    await watchDisk({ folder, reserve, makeRoom, log: pino({ level: 'silent' }) }).check();
  await look(0);
  expect(remaining).toBe(3);
  await look(Number.MAX_SAFE_INTEGER);
  expect(remaining).toBe(0);
});

test.each([
  [full, 'disk_full'],
  [readOnly, 'disk_failing'],
  [new Error('an error of the engine'), 'disk_full'],
])('pauses the worker after a job fails with %o, then allows one job at a time, then more', async (error, fault) => {
  const disk = watch(0);
  await disk.check();
  expect(disk.maxJobs).toBe(Number.POSITIVE_INFINITY);
  disk.jobFailed(error);
  expect(disk.fault).toBe(fault);
  vi.advanceTimersByTime(4_000);
  await disk.check();
  expect(disk.fault).toBe(fault);
  vi.advanceTimersByTime(1_001);
  await disk.check();
  expect(disk.fault).toBeUndefined();
  expect(disk.maxJobs).toBe(1);
  disk.jobDone();
  expect(disk.maxJobs).toBe(2);
  expect(lines.map(({ level }) => level)).toEqual([50, 30]);
  expect(await readdir(folder)).toEqual([]);
});

test('doubles the pause after each job that fails, up to a minute, until one is done', async () => {
  const disk = watch(0);
  const pauses = [];
  for (let time = 0; time < 6; time += 1) {
    disk.jobFailed(full);
    let seconds = 0;
    for (; disk.fault !== undefined; seconds += 1) {
      vi.advanceTimersByTime(1_000);
      await disk.check();
    }
    pauses.push(seconds);
  }
  expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
  disk.jobDone();
  disk.jobFailed(full);
  vi.advanceTimersByTime(5_000);
  await disk.check();
  expect(disk.fault).toBeUndefined();
});

test('reports a disk that cannot be read as failing until it can', async () => {
  const disk = watch(0);
  await rm(folder, { recursive: true });
  await disk.check();
  expect(disk.fault).toBe('disk_failing');
});

test.skipIf(process.geteuid?.() === 0)('stays paused on a disk that has space but cannot be written to', async () => {
  const disk = watch(0);
  disk.jobFailed(full);
  await chmod(folder, 0o500);
  vi.advanceTimersByTime(6_000);
  await disk.check();
  expect(disk.fault).toBe('disk_failing');
  await chmod(folder, 0o700);
});
