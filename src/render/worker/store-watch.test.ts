import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readinessOf } from './readiness.ts';
import { type StoreWatch, watchStore } from './store-watch.ts';

let lines: { msg: string }[];
let store: { down: boolean; checks: number; isRetrying: boolean };
let watch: StoreWatch;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  lines = [];
  store = { down: false, checks: 0, isRetrying: false };
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

test('a worker that starts without its store is paused from the first check on', async () => {
  store.down = true;
  await watch.check();
  expect(watch.failing).toBe(true);
});

test('a failed check pauses the worker, checks at growing intervals resume it; each is logged once', async () => {
  await pass(14);
  expect([watch.failing, store.checks]).toEqual([false, 0]);
  store.down = true;
  await pass(1);
  expect(watch.failing).toBe(true);
  const before = store.checks;
  // After 1, 2, 4, 8 and 15 s.
  await pass(30);
  expect(store.checks - before).toBe(5);
  store.down = false;
  await pass(15);
  expect(watch.failing).toBe(false);
  expect(lines).toHaveLength(2);
});

test('a failed upload makes the watch check the store at once', async () => {
  store.down = true;
  watch.uploadFailed('one', new Error('connection refused'));
  await pass(0);
  expect(watch.failing).toBe(true);
});

test('a failed upload of one run does not pause the worker; those of two runs do, although checks succeed', async () => {
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

test('after a minute of checks that succeed one job at a time shows whether uploads still fail, which is not logged', async () => {
  store.isRetrying = true;
  watch.uploadFailed('one', new Error('no space left'));
  watch.uploadFailed('two', new Error('no space left'));
  const ready = readinessOf(
    { fault: undefined, maxJobs: 9, check: async () => undefined, jobFailed: ignore, jobDone: ignore },
    watch,
  );
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

test('a store that refuses is distinguished from one that is away', async () => {
  const refusal = Object.assign(new Error('Access Denied'), { $metadata: { httpStatusCode: 403 } });
  watch.uploadFailed('one', refusal);
  watch.uploadFailed('two', refusal);
  expect(lines[0]?.msg).toContain('refuses files. Check its bucket');
});
