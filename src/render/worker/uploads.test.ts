import { link, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSealer } from '../../sealing/sealer.ts';
import { ChecksumError } from '../../storage/compare-checksums.ts';
import type { Storage } from '../../storage/storage.ts';
import { ResultNotRetained } from './result-retention.ts';
import { readRetainedResult } from './retained-result.ts';
import { RunLost, WorkerStopping } from './run-job.ts';
import { openUploads, type UploadOptions, type Uploads } from './uploads.ts';

const sealer = createSealer(['a secret for these tests']);
const log = pino({ level: 'silent' });
const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:9000'), { code: 'ECONNREFUSED' });

let folder: string;
let store: {
  put: Storage['put'];
  tries: number;
  storedCount: number;
  failed: string[];
  free: number;
  retries: string[];
  pauses: number[];
};
let uploads: Uploads;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-uploads-'));
  store = { put: async () => ({}), tries: 0, storedCount: 0, failed: [], free: 1_000_000, retries: [], pauses: [] };
  uploads = openUploads({
    storage: {
      put(...call) {
        store.tries += 1;
        return store.put(...call);
      },
    },
    watch: {
      fileStored: () => {
        store.storedCount += 1;
      },
      uploadFailed: (run) => store.failed.push(run),
    },
    sealer,
    metrics: { uploadRetried: (result) => store.retries.push(result) },
    pause: async (milliseconds, signal) => {
      store.pauses.push(milliseconds);
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    },
    free: async () => store.free,
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a run that is about to store a result of the given size, next to its inputs. */
async function runOf(run: string, bytes = 1_000) {
  const directory = join(folder, run);
  await mkdir(join(directory, 'inputs'), { recursive: true });
  await writeFile(join(directory, 'inputs', 'input-1'), 'fetched');
  const path = join(directory, 'result.mp4');
  await writeFile(path, Buffer.alloc(bytes, 7));
  const abort = new AbortController();
  const slot = { isReleased: false };
  const call: UploadOptions = {
    run,
    job: `job-of-${run}`,
    owner: 'me',
    directory,
    expiresAt: new Date(Date.now() + 600_000),
    signal: abort.signal,
    onProgress: () => undefined,
    onWaiting: async () => {
      slot.isReleased = true;
    },
    onRetained: () => undefined,
    log,
  };
  return { result: { path, bytes, notes: [] }, call, abort, slot, directory };
}

const failing = (times: number) => async () => {
  if (store.tries <= times) throw away;
  return {};
};

test('keeps the slot and inputs of a result that is stored immediately', async () => {
  const { result, call, slot, directory } = await runOf('one');
  await uploads.store(result, call);
  expect([store.storedCount, slot.isReleased, store.retries]).toEqual([1, false, []]);
  expect(await readdir(directory)).toEqual(['inputs', 'result.mp4']);
});

test('releases the slot of a result that is not stored, deletes everything else, and retries until it is stored', async () => {
  const { result, call, slot, directory } = await runOf('one');
  let snapshot: unknown;
  store.put = async (_key, path) => {
    if (store.tries === 2) {
      snapshot = { waiting: uploads.waiting, left: slot.isReleased, files: await readdir(directory), path };
    }
    return await failing(3)();
  };
  await uploads.store(result, call);
  expect(snapshot).toEqual({
    waiting: { results: 1, bytes: 1_000 },
    left: true,
    files: ['kept'],
    path: join(directory, 'kept', 'result.mp4'),
  });
  expect(store.retries).toEqual(['failed', 'failed', 'stored']);
  expect(store.failed).toEqual(['one']);
  expect(uploads.waiting).toEqual({ results: 0, bytes: 0 });
});

test.each([
  ['away', away, 15_000],
  ['refusing files', Object.assign(new Error('Access Denied'), { $metadata: { httpStatusCode: 403 } }), 300_000],
  ['storing something else', new ChecksumError('another checksum'), 300_000],
])('retries at growing intervals if the store is %s', async (_how, error, longest) => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { result, call } = await runOf('one');
  store.put = async () => {
    if (store.tries <= 12) throw error;
    return {};
  };
  await uploads.store(result, call);
  expect(store.pauses.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  expect(store.pauses.at(-1)).toBe(longest);
});

test('records a waiting result for a later run of its job', async () => {
  const { result, call, abort, directory } = await runOf('one');
  store.put = async () => {
    if (store.tries === 3) abort.abort(new RunLost());
    throw away;
  };
  await expect(uploads.store(result, call)).rejects.toBeInstanceOf(RunLost);
  expect(uploads.waiting.results).toBe(0);
  expect(await readRetainedResult(directory, 'job-of-one', sealer, new AbortController().signal)).toMatchObject({
    bytes: 1_000,
  });
});

test('gives up shortly before the job expires, and reports how long it tried and why, without addresses', async () => {
  const { result, call } = await runOf('one');
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
  const expiresAt = new Date(Date.now() + 600_000);
  store.put = async () => {
    if (store.tries > 1) time.abort(new DOMException('It is over.', 'TimeoutError'));
    throw away;
  };
  await expect(uploads.store(result, { ...call, expiresAt })).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringMatching(/^The finished file could not be stored within \d+ s of retries \(ECONNREFUSED\)\./),
    cause: away,
  });
  expect(store.tries).toBeGreaterThan(1);
  const limits = timeout.mock.calls.map(([milliseconds]) => milliseconds);
  expect(limits.some((limit) => limit > 500_000 && limit <= 570_000)).toBe(true);
});

describe('a store that does not respond', () => {
  beforeEach(() => {
    store.put = () => Promise.withResolvers<never>().promise;
  });

  test('does not delay a stop, whether in the first attempt or in a later one', async () => {
    const silent = store.put;
    for (const tries of [1, 2]) {
      const { result, call, abort } = await runOf(`stops-${tries}`);
      store.tries = 0;
      store.put = async (...put) => {
        if (store.tries < tries) throw away;
        setImmediate(() => abort.abort(new WorkerStopping()));
        return await silent(...put);
      };
      await expect(uploads.store(result, call)).rejects.toBeInstanceOf(WorkerStopping);
    }
    expect(uploads.waiting.results).toBe(0);
  });

  test('lets a job fail before it expires, even in the first attempt', async () => {
    const { result, call } = await runOf('one');
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now);
    // Half of the remaining time is not an integer number of milliseconds.
    const expiresAt = new Date(now + 601);
    await expect(uploads.store(result, { ...call, expiresAt })).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('(TimeoutError)'),
    });
    expect(store.tries).toBe(1);
  });
});

test('retries at most two uploads concurrently', async () => {
  let open = 0;
  let most = 0;
  const runs = await Promise.all(['one', 'two', 'three', 'four', 'five'].map((run) => runOf(run)));
  const triedKeys = new Set<string>();
  const twoOpen = Promise.withResolvers<void>();
  store.put = async (key) => {
    if (!triedKeys.has(key)) {
      triedKeys.add(key);
      throw away;
    }
    open += 1;
    most = Math.max(most, open);
    if (open === 2) twoOpen.resolve();
    await twoOpen.promise;
    await new Promise(setImmediate);
    open -= 1;
    return {};
  };
  await Promise.all(runs.map(({ result, call }) => uploads.store(result, call)));
  expect(most).toBe(2);
});

describe('a result is not retained', () => {
  test('when waiting results would take up more than the free space', async () => {
    store.free = 999;
    store.put = failing(1);
    const { result, call, slot } = await runOf('one');
    await expect(uploads.store(result, call)).rejects.toBeInstanceOf(ResultNotRetained);
    expect([slot.isReleased, uploads.waiting.results]).toEqual([true, 0]);
  });

  test('when the store removed its file before the upload failed', async () => {
    const { result, call, directory } = await runOf('one');
    store.put = async (_key, path) => {
      if (store.tries === 2) await rm(path);
      expect(await readdir(directory)).toBeDefined();
      throw away;
    };
    await expect(uploads.store(result, call)).rejects.toBeInstanceOf(ResultNotRetained);
  });

  test('when it is not the verified file: then its job fails', async () => {
    const { result, call, directory } = await runOf('one');
    await link(result.path, join(directory, 'other'));
    store.put = failing(1);
    await expect(uploads.store(result, call)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('was changed'),
    });
  });
});
