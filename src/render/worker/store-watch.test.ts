import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readinessOf } from './readiness.ts';
import { type StoreWatch, watchStore } from './store-watch.ts';

let lines: { msg: string }[];
let store: { down: boolean; silent: boolean; checks: number; isRetrying: boolean };
let watch: StoreWatch;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  lines = [];
  store = { down: false, silent: false, checks: 0, isRetrying: false };
  const pauseOfTest = (milliseconds: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      setTimeout(resolve, milliseconds);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  watch = watchStore({
    storage: {
      async check() {
        store.checks += 1;
        if (store.down) throw new Error('out of reach');
        if (store.silent) await new Promise(() => undefined);
      },
    },
    isRetrying: () => store.isRetrying,
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
    pause: pauseOfTest,
  });
});
afterEach(async () => {
  await watch.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ignore = () => undefined;
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('pauses a worker from the first check on if it starts without its store', async () => {
  store.down = true;
  await watch.check();
  expect(watch.failing).toBe(true);
});

test('pauses the worker after a failed check, resumes it after checks at growing intervals, and logs each once', async () => {
  await pass(14);
  expect([watch.failing, store.checks]).toEqual([false, 0]);
  store.down = true;
  await pass(1);
  expect(watch.failing).toBe(true);
  const before = store.checks;
  // The store is checked after 1, 2, 4, 8 and 15 s.
  await pass(30);
  expect(store.checks - before).toBe(5);
  store.down = false;
  await pass(15);
  expect(watch.failing).toBe(false);
  expect(lines).toHaveLength(2);
});

test('closes without waiting for the check of a silent store, whose result is then ignored', async () => {
  store.silent = true;
  await pass(15);
  expect(store.checks).toBe(1);
  await watch.close();
  await pass(10);
  expect([watch.failing, lines]).toEqual([false, []]);
});

test('checks the store immediately after a failed upload', async () => {
  store.down = true;
  watch.uploadFailed('one', new Error('connection refused'));
  await pass(0);
  expect(watch.failing).toBe(true);
});

test('does not pause after a failed upload of one run, but pauses after those of two runs, although checks succeed', async () => {
  store.isRetrying = true;
  watch.uploadFailed('one', new Error('too large'));
  watch.uploadFailed('one', new Error('too large'));
  await pass(0);
  expect(watch.failing).toBe(false);
  watch.uploadFailed('two', new Error('no space left'));
  expect(watch.failing).toBe(true);
  await pass(50);
  expect(watch.failing).toBe(true);
  watch.fileStored();
  expect(watch.failing).toBe(false);
});

const disk = { fault: undefined, maxJobs: 9, check: async () => undefined, jobFailed: ignore, jobDone: ignore };

test('a worker takes no jobs while an administrator drains its node', () => {
  let isDraining = true;
  const ready = readinessOf(disk, watch, () => isDraining);
  expect([ready.reasons, ready.usableSlots(4)]).toEqual([['draining'], 0]);
  isDraining = false;
  expect([ready.reasons, ready.usableSlots(4)]).toEqual([[], 4]);
});

test('tests uploads with one job at a time after a minute of successful checks, without logging that', async () => {
  store.isRetrying = true;
  watch.uploadFailed('one', new Error('no space left'));
  watch.uploadFailed('two', new Error('no space left'));
  const ready = readinessOf(disk, watch, () => false);
  expect(ready.usableSlots(4)).toBe(0);
  await pass(100);
  expect([watch.failing, watch.trial, ready.usableSlots(4)]).toEqual([false, true, 1]);
  watch.uploadFailed('three', new Error('no space left'));
  expect([watch.failing, watch.trial, ready.usableSlots(4)]).toEqual([true, false, 0]);
  await pass(100);
  expect([ready.usableSlots(4), lines.length]).toEqual([1, 1]);
  watch.fileStored();
  expect([watch.failing, watch.trial, ready.usableSlots(4), lines.length]).toEqual([false, false, 4, 2]);
});

test('distinguishes a store that refuses access from an unavailable one', async () => {
  const refusal = Object.assign(new Error('Access Denied'), { $metadata: { httpStatusCode: 403 } });
  watch.uploadFailed('one', refusal);
  watch.uploadFailed('two', refusal);
  expect(lines[0]?.msg).toContain('refuses files. Check its bucket');
});
