import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BlockIndex, noBlocks } from '../../blocks/block-index.ts';
import { blocking } from '../../blocks/testing/test-blocks.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { MediaFetch } from '../../contract/media-fetch.ts';
import { parseJob } from '../../contract/parse-job.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing/test-database.ts';
import { openExits } from '../../egress/exits.ts';
import { createHasher } from '../../files/hashing/hasher.ts';
import type { HealRequest, LinkHealer } from '../../link-healing/link-healer.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { createReceiptSigner } from '../../receipts/receipt-signer.ts';
import { verifyReceipt } from '../../receipts/verify-receipt.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { openDiskStorage } from '../../storage/disk-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { serveRanges, startOrigin } from '../download/testing/origin.ts';
import { openJobs } from '../jobs/jobs.ts';
import { openQueue, type Queue } from '../jobs/queue/queue.ts';
import type { Visitor } from '../jobs/visitor-limits.ts';
import { createReceiptIssuer } from '../receipts/receipt-issuer.ts';
import { createTestEngine } from '../stages/testing/test-engine.ts';
import { createJobProgress } from './job-progress.ts';
import { createResultDeliveries } from './result-deliveries.ts';
import { openRetention } from './result-retention.ts';
import { RunLost, runJob, WorkerStopping } from './run-job.ts';
import { openStoredQuota } from './stored-quota.ts';
import { openUploads } from './uploads.ts';
import { openWorkFolders, type WorkFolders } from './work-folders.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const sealer = createSealer(['a secret for these tests']);
const signer = createReceiptSigner(['a secret for these tests']);
const hasher = createHasher();
const log = pino({ level: 'silent' });
const exits = openExits({
  EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')],
  EGRESS_CONNECT_TO: [],
  EGRESS_PROXIES: [],
  EGRESS_DEFAULT: 'direct',
  RENDER_PROXY: undefined,
});

let database: Database;
let origin: Awaited<ReturnType<typeof startOrigin>>;
let folder: string;
let storage: Storage;

beforeAll(async () => {
  database = await openTestDatabase();
  origin = await startOrigin({
    '/sound.m4a': serveRanges(Buffer.alloc(100_000, 7)),
    '/store': (request, response) => request.resume().once('end', () => response.setHeader('etag', '"abc"').end()),
    '/expired': (_request, response) => response.writeHead(403).end(),
    '/silent': () => undefined,
  });
});
afterAll(async () => {
  await hasher.close();
  await exits.close();
  await origin.close();
  await database.close();
});
beforeEach(async () => {
  await database.query('delete from render_jobs');
  folder = await mkdtemp(join(tmpdir(), 'millrace-run-job-'));
  storage = await openDiskStorage(join(folder, 'files'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const originOfJob: NonNullable<Job['origin']> = {
  platform: 'p1',
  endpoint: '/video/details',
  parameters: { videoId: 'abc' },
  content: 0,
  profile: 'old',
  representations: [{ repId: '140', kind: 'audio' }],
};

/** Claims a job that stores a file unchanged, and runs it with some replaced dependencies. */
async function runWith(
  differing: {
    queue?: Partial<Queue>;
    storage?: (abort: AbortController) => Partial<Storage>;
    folders?: Partial<WorkFolders>;
    /** Free bytes for waiting results; default: those of the disk. */
    free?: number;
    healer?: LinkHealer;
    blocks?: BlockIndex;
    reports?: MediaFetch[];
    /** Receives the lines of the log. */
    lines?: string[];
    /** Further members of the output. */
    output?: object;
    /** The visitor of the page who starts the job. */
    visitor?: Visitor;
    /** Bytes of finished files that the owner of the job may store. */
    quota?: number;
  },
  path = '/sound.m4a',
): Promise<{ run: string; row: Record<string, unknown> | undefined; files: string[]; metrics: string }> {
  const { healer, reports, lines, visitor, quota } = differing;
  const queue = openQueue(database, sealer);
  const parsedJob = parseJob({
    id: 'one',
    inputs: [{ url: origin.url + path, ext: 'm4a' }],
    output: { ext: 'm4a', ...differing.output },
    operation: { type: 'no_process' },
  });
  const job = differing.healer === undefined ? parsedJob : { ...parsedJob, origin: originOfJob };
  await openJobs(database, sealer, 10).start(job, 'me', {
    origin: { requestId: 'request-1' },
    ...(visitor === undefined ? {} : { visitor }),
    ...(quota === undefined ? {} : { stored: { quota } }),
  });
  // States which formats the worker reads.
  await queue.heartbeat(worker, 1, new Map());
  const claim = await queue.claim(worker);
  if (claim === undefined) throw new Error('no job is waiting');
  const abort = new AbortController();
  const folders = await openWorkFolders(join(folder, 'work'), worker, queue, log);
  const effectiveStorage = { ...storage, ...differing.storage?.(abort) };
  const metrics = createMetrics();
  const watch = { fileStored: () => undefined, uploadFailed: () => undefined };
  const slot = { otherDiskUse: 'jobs' as const, release: () => undefined, resultRetained: () => undefined };
  await runJob(claim, createJobProgress(job.brackets), abort.signal, slot, {
    queue: { ...queue, ...differing.queue },
    worlds: {
      live: {
        exits,
        sealer,
        ...(healer === undefined ? {} : { healer }),
        reportMediaFetch: (report) => void reports?.push(report),
      },
    },
    engine: createTestEngine().engine,
    storage: effectiveStorage,
    uploads: openUploads({
      storage: effectiveStorage,
      watch,
      sealer,
      metrics,
      ...(differing.free === undefined ? {} : { free: async () => differing.free ?? 0 }),
    }),
    storedQuota: openStoredQuota({
      sizes: differing.queue?.storedSizes ?? queue.storedSizes,
      disk: async () => undefined,
    }),
    deliveries: createResultDeliveries({
      egress: exits.forJobs,
      retention: openRetention({ sealer, maxResults: 1 }),
      metrics,
    }),
    checkUrl: exits.checkUrl,
    blocks: differing.blocks ?? noBlocks,
    // The jobs of keys have no such limit.
    visitorTimeMs: 1,
    disk: { jobFailed: () => undefined, jobDone: () => undefined },
    sealer,
    folders: { ...folders, ...differing.folders },
    metrics,
    receipts: createReceiptIssuer({ hasher, signer, software: { millrace: '1', nodeAv: '2', ffmpeg: '3' } }),
    log: lines === undefined ? log : pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  });
  await folders.close();
  const [row] = await database.query<Record<string, unknown>>('select * from render_jobs');
  return { run: claim.run, row, files: await filesOf(), metrics: await metrics.registry.metrics() };
}

async function filesOf(): Promise<string[]> {
  const files: string[] = [];
  for await (const keys of storage.keys()) files.push(...keys);
  return files;
}

/** Returns a queue method whose response is lost the first `times` times. */
function losingResponses<Name extends 'complete' | 'fail' | 'enterStage' | 'requeue'>(name: Name, times: number) {
  const queue = openQueue(database, sealer);
  let calls = 0;
  const call = async (...parameters: Parameters<Queue[Name]>) => {
    // A method and its own parameters, which the compiler cannot match.
    const answer = await (queue[name] as (...all: unknown[]) => Promise<unknown>)(...parameters);
    calls += 1;
    if (calls <= times) throw new Error('Connection terminated unexpectedly');
    return answer;
  };
  return { queue: { [name]: call } as Partial<Queue>, calls: () => calls };
}

test('a worker fails a waiting job whose input the operator has blocked', async () => {
  const { row, files } = await runWith({ blocks: blocking('host', '', '127.0.0.1') });
  expect(row).toMatchObject({ state: 'failed', error_code: 'blocked', retryable: false });
  expect(files).toEqual([]);
});

test('a worker stops the job of a visitor at its time limit, as no fault of the service', async () => {
  const visitor = { id: 'a', limits: { atOnce: 1, perDay: 1, storedSize: 1e9 } };
  const { row, files, metrics } = await runWith({ visitor }, '/silent');
  expect(row).toMatchObject({
    state: 'failed',
    error_code: 'processing_timeout',
    error: expect.stringContaining('the limit for a visitor'),
  });
  expect(files).toEqual([]);
  expect(metrics).toContain('render_runs_total{code="over_time"} 1');
});

test('a worker fails a job whose file its owner may not store, as no fault of the service', async () => {
  const full = { storedSizes: async () => ({ own: 10, all: 10 }) };
  const { row, files, metrics } = await runWith({ quota: 10, queue: full });
  expect(row).toMatchObject({
    state: 'failed',
    error_code: 'storage_failed',
    retryable: true,
    error: expect.stringMatching(/^There is no space for the file.*: your key stores 10\.00 B /),
  });
  expect(files).toEqual([]);
  expect(metrics).toContain('render_runs_total{code="over_quota"} 1');
});

test('an outage of the database while the stored files are measured costs no job', async () => {
  let calls = 0;
  const storedSizes = async () => {
    calls += 1;
    if (calls === 1) throw new Error('Connection terminated unexpectedly');
    return { own: 0, all: 0 };
  };
  const { row } = await runWith({ quota: 10, queue: { storedSizes } });
  expect(row).toMatchObject({ state: 'done' });
  expect(calls).toBe(3);
});

describe('a job that delivers its file', () => {
  const to = (path: string, keep: boolean) => ({ output: { putUrl: `${origin.url}${path}`, keep } });
  const sha256 = createHash('sha256').update(Buffer.alloc(100_000, 7)).digest('hex');

  test('is not limited by the size of stored files, unless it also keeps the file', async () => {
    const full = { storedSizes: async () => ({ own: 10, all: 10 }) };
    const delivered = await runWith({ ...to('/store', false), quota: 10, queue: full });
    expect(delivered.row).toMatchObject({ state: 'done', file_key: null });
    await database.query('delete from render_jobs');
    const kept = await runWith({ ...to('/store', true), quota: 10, queue: full });
    expect(kept.row).toMatchObject({ state: 'failed', error_code: 'storage_failed', delivery: null });
  });

  test('also keeps it by default', async () => {
    const { run, row, files, metrics } = await runWith(to('/store', true));
    const delivery = { status: 'delivered', bytes: 100_000, attempts: 1, httpStatus: 200, etag: '"abc"' };
    expect(row).toMatchObject({ state: 'done', file_key: run, delivery });
    expect(row?.delivery).not.toHaveProperty('sha256');
    expect(files).toEqual([run]);
    expect(metrics).toContain('render_deliveries_total{code="ok"} 1');
  });

  test('keeps it although the delivery failed', async () => {
    const { run, row, files } = await runWith(to('/expired', true));
    const delivery = { status: 'failed', code: 'delivery_refused', httpStatus: 403, etag: null };
    expect(row).toMatchObject({ state: 'done', file_key: run, error: null, delivery });
    expect(files).toEqual([run]);
  });

  test('stores nothing if it is only delivered, and states its hash', async () => {
    const { row, files } = await runWith(to('/store', false));
    const delivery = { status: 'delivered', sha256, notes: [] };
    const none = { file_key: null, file_link: null, file_sha256: null, receipt: null, description: null };
    expect(row).toMatchObject({ state: 'done', progress: 100, delivery, ...none });
    expect([files, await readdir(join(folder, 'work'))]).toEqual([[], []]);
  });

  test('fails if it can only be delivered and is refused, and keeps its description for a retry', async () => {
    const { row, files } = await runWith(to('/expired', false));
    const delivery = { status: 'failed', code: 'delivery_refused' };
    expect(row).toMatchObject({ state: 'failed', error_code: 'delivery_refused', retryable: false, delivery });
    expect(row?.description).toEqual(expect.any(String));
    expect([files, await readdir(join(folder, 'work'))]).toEqual([[], []]);
  });

  test('downloads nothing if it can only be delivered to an address that is not public', async () => {
    const before = origin.requestLog.length;
    const { row } = await runWith({ output: { putUrl: 'http://169.254.169.254/film', keep: false } });
    expect(row).toMatchObject({ state: 'failed', error_code: 'address_refused' });
    expect(origin.requestLog).toHaveLength(before);
  });

  test('is completed once if a response of the database is lost', async () => {
    const { queue, calls } = losingResponses('complete', 1);
    const { row } = await runWith({ queue, ...to('/store', false) });
    expect(row).toMatchObject({ state: 'done', file_key: null });
    expect(calls()).toBe(2);
  });

  test('does not deliver it again if only storing it remains for a later run', async () => {
    let calls = 0;
    const stopping = (abort: AbortController): Partial<Storage> => ({
      async put(_key, _path, { signal }) {
        calls += 1;
        // The result is retained after the first failure.
        if (calls === 2) abort.abort(new WorkerStopping());
        signal.throwIfAborted();
        throw new Error('out of reach');
      },
    });
    const uploads = () => origin.requestLog.filter(({ url }) => url === '/store').length;
    const before = uploads();
    expect((await runWith({ storage: stopping, ...to('/store', true) })).row).toMatchObject({ state: 'queued' });
    const { row } = await runWith(to('/store', true));
    expect(row).toMatchObject({ state: 'done', delivery: { status: 'delivered', etag: '"abc"' } });
    expect(uploads() - before).toBe(1);
  });
});

describe('a worker that loses a response of the database', () => {
  test('keeps the file of a completed job, and completes the job again', async () => {
    const { queue, calls } = losingResponses('complete', 1);
    const { run, row, files } = await runWith({ queue });
    expect(row).toMatchObject({ state: 'done', file_key: run });
    expect(files).toEqual([run]);
    expect(calls()).toBe(2);
  });

  test('keeps the file if it never learns whether the job is done', async () => {
    const { queue } = losingResponses('complete', Number.POSITIVE_INFINITY);
    const complete = queue.complete;
    const now = performance.now.bind(performance);
    const late: Partial<Queue> = {
      async complete(run, file) {
        vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
        return (await complete?.(run, file)) ?? false;
      },
    };
    const { run, row, files } = await runWith({ queue: late });
    expect(row).toMatchObject({ state: 'done', file_key: run });
    expect(files).toEqual([run]);
  });

  test('repeats failing a job and entering a stage', async () => {
    const entering = losingResponses('enterStage', 1);
    const slow = (): Partial<Storage> => ({
      async put(...parameters) {
        await vi.waitUntil(() => entering.calls() > 1, { timeout: 60_000 });
        return storage.put(...parameters);
      },
    });
    expect((await runWith({ queue: entering.queue, storage: slow })).row).toMatchObject({ state: 'done' });
    expect(entering.calls()).toBe(2);
    await database.query('delete from render_jobs');
    const failing = losingResponses('fail', 2);
    const { row } = await runWith({ queue: failing.queue }, '/gone.m4a');
    expect(row).toMatchObject({ state: 'failed', error: expect.stringContaining('404') });
    expect(failing.calls()).toBe(3);
  });

  test('repeats requeueing a job, and counts it once', async () => {
    const { queue } = losingResponses('requeue', 1);
    const stopping = (abort: AbortController): Partial<Storage> => ({
      async put(_key, _path, { signal }) {
        abort.abort(new WorkerStopping());
        signal.throwIfAborted();
        return {};
      },
    });
    const { run, row, files } = await runWith({ queue, storage: stopping });
    expect(row).toMatchObject({ state: 'queued', run: null, deaths: 0 });
    expect(files).toEqual([]);
    expect(await database.query('select 1 from file_deletions where file_key = $1', [run])).toHaveLength(1);
  });
});

describe('a worker that lost its job while it stored the file', () => {
  test('leaves no file if it knows of the loss, although the file was fully stored', async () => {
    const { row, files } = await runWith({
      storage: (abort) => ({
        async put(key, path, call) {
          abort.abort(new RunLost());
          const result = await storage.put(key, path, call);
          expect(await filesOf()).toEqual([key]);
          return result;
        },
      }),
    });
    expect(row).toMatchObject({
      state: expect.stringMatching(/^(downloading_inputs|uploading_output)$/),
      file_key: null,
    });
    expect(files).toEqual([]);
  });

  test('leaves no file or inputs if the job was cancelled', async () => {
    const { row, files } = await runWith({
      storage: (abort) => ({
        async put(key, path, { size, signal }) {
          await openJobs(database, sealer, 10).cancel('one', 'me');
          abort.abort(new RunLost('cancelled'));
          return await storage.put(key, path, { size, signal, onProgress: () => undefined });
        },
      }),
    });
    expect(row).toMatchObject({ state: 'failed', error: 'Cancelled by its owner', file_key: null });
    expect(files).toEqual([]);
    expect(await readdir(join(folder, 'work'))).toEqual([]);
  });

  test('cannot end the job and leaves no file if it does not know of the loss', async () => {
    const other = '00000000-0000-4000-8000-000000000002';
    const { row, files } = await runWith({
      storage: () => ({
        async put(key, path, call) {
          await database.query(`update render_jobs set run = $1, state = 'downloading_inputs'`, [other]);
          return await storage.put(key, path, call);
        },
      }),
    });
    expect(row).toMatchObject({ state: 'downloading_inputs', run: other, file_key: null });
    expect(files).toEqual([]);
  });
});

describe('a job returns to the queue without a counted attempt', () => {
  test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])('for another worker when the disk reports %s', async (code) => {
    const { row } = await runWith({
      folders: { open: () => Promise.reject(Object.assign(new Error(code), { code })) },
    });
    expect(row).toMatchObject({ state: 'queued', attempts: 0, full_disk_worker: worker, left_worker: null });
    expect(await readdir(join(folder, 'work'))).toEqual([]);
  });

  test('when its result can neither be stored nor retained', async () => {
    const put = () => Promise.reject(new Error('out of reach'));
    const { row, files } = await runWith({ free: 0, storage: () => ({ put }) });
    expect(row).toMatchObject({ state: 'queued', attempts: 0, full_disk_worker: null });
    expect([files, await readdir(join(folder, 'work'))]).toEqual([[], []]);
  });
});

describe('a job whose link is refused', () => {
  test('continues with the link that the platform returns now', async () => {
    const requests: HealRequest[] = [];
    const reports: MediaFetch[] = [];
    const lines: string[] = [];
    const healer: LinkHealer = {
      async heal(request) {
        requests.push(request);
        return { profile: 'new', links: [{ url: `${origin.url}/sound.m4a`, ext: 'm4a', headers: {} }] };
      },
    };
    const { row, metrics } = await runWith({ healer, reports, lines }, '/gone.m4a');
    expect(row).toMatchObject({ state: 'done' });
    const { representations, ...item } = originOfJob;
    expect(requests).toEqual([
      {
        item,
        representations,
        exit: 'direct',
        failedProfiles: ['old'],
        subject: 'one',
        owner: 'me',
        start: expect.any(String),
        requestId: 'request-1',
        input: 0,
      },
    ]);
    expect(reports).toMatchObject([
      { outcome: 'refused', status: 404, exit: 'direct', origin: { profile: 'old' } },
      { outcome: 'arrived', bytes: 100_000, origin: { profile: 'new' } },
    ]);
    const threads = lines.map((line) => JSON.parse(line));
    expect(threads.every((line) => line.job === 'one' && line.requestId === 'request-1' && 'run' in line)).toBe(true);
    const replaced = lines.filter((line) => line.includes('the link of an input was replaced'));
    expect(replaced).toHaveLength(1);
    expect(JSON.parse(replaced[0] ?? '')).toMatchObject({ job: 'one', input: 0, outcome: 'refused', profile: 'new' });
    expect(replaced[0]).not.toContain('127.0.0.1');
    expect(metrics).toContain('millrace_render_links_replaced_total{outcome="refused"} 1');
  });

  test('fails with the refusal of the platform', async () => {
    const heal = () => Promise.reject(new MillraceError('unavailable', 'The video is private.'));
    const { row } = await runWith({ healer: { heal } }, '/gone.m4a');
    expect(row).toMatchObject({
      state: 'failed',
      error_code: 'unavailable',
      error: 'Input 1: The video is private.',
      error_input: 0,
      retryable: false,
    });
  });
});

describe('the receipt of a result', () => {
  const fetched = createHash('sha256').update(Buffer.alloc(100_000, 7)).digest('hex');

  test('is signed and stored with the job, and names the bytes that were fetched and stored', async () => {
    const { row } = await runWith({});
    const { keyId, statement } = verifyReceipt(String(row?.receipt), signer.keys);
    expect(keyId).toBe(signer.key.kid);
    expect(statement).toMatchObject({
      item: null,
      inputs: [{ ext: 'm4a', representation: null, host: '127.0.0.1', files: [{ bytes: 100_000, sha256: fetched }] }],
      operation: { type: 'no_process', container: 'm4a' },
      output: { bytes: 100_000, sha256: fetched },
      proof: { kind: 'unchanged' },
    });
    expect(row?.file_sha256).toBe(Buffer.from(fetched, 'hex').toString('base64'));
  });

  test('is issued for a result that waited for the store', async () => {
    let attempts = 0;
    const { row } = await runWith({
      storage: () => ({
        async put(...call) {
          attempts += 1;
          if (attempts === 1) throw new Error('out of reach');
          return await storage.put(...call);
        },
      }),
    });
    expect(verifyReceipt(String(row?.receipt), signer.keys).statement.output.sha256).toBe(fetched);
  });

  test('names neither the job nor any link', async () => {
    const { row } = await runWith({}, '/sound.m4a?token=secret');
    const { statement } = verifyReceipt(String(row?.receipt), signer.keys);
    expect(JSON.stringify(statement)).not.toMatch(/"one"|secret|sound|http/);
  });
});
