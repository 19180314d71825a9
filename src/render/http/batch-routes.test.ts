import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Account, Keys } from '../../accounts/keys.ts';
import type { Ledger } from '../../accounts/ledger.ts';
import { LimitError } from '../../accounts/limit-error.ts';
import { noBlocks } from '../../blocks/block-index.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { JobDescription } from '../../contract/job.ts';
import { plans } from '../../contract/subscription-plans.ts';
import { createSealers } from '../../sealing/sealers.ts';
import { createExecutionUrl, type LongOrder } from '../jobs/execution-url.ts';
import type { StoredDescriptions } from '../jobs/stored-descriptions.ts';
import { addBatchRoute } from './batch-routes.ts';
import { createJobRates } from './job-rates.ts';

const sealers = createSealers(['a secret for these tests']);
const sealer = sealers.live;
const render = 'http://render.example';
const account: Account = { id: 'render:1', plan: plans.PRO, test: false };

const job = (id: string) => ({
  id,
  inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
  output: { ext: 'mp4' },
  operation: { type: 'convert_format' as const },
});

let app: FastifyInstance;
let started: string[];
/** Called with the job's ID when a job is started. */
let onStart: (id: string) => void;
let admissions: number;
let storedOrders: LongOrder[];

beforeEach(() => {
  started = [];
  storedOrders = [];
  onStart = () => undefined;
  admissions = Number.POSITIVE_INFINITY;
  app = Fastify();
  addBatchRoute(
    app,
    {
      jobs: {
        async start({ id }, owner) {
          onStart(id);
          const fresh = !started.includes(`${owner} ${id}`);
          if (fresh) started.push(`${owner} ${id}`);
          return { jobId: id, isNew: fresh, message: 'Well.' };
        },
        attach: async () => undefined,
        retry: async (id) => ({ jobId: id, isNew: true, message: '' }),
        cancel: async () => 'cancelled',
        deleteFinished: async () => undefined,
      },
      blocks: noBlocks,
      visitorLimits: { atOnce: 3, perDay: 50, storedSize: 1e9 },
      jobRates: createJobRates({ perMinute: 1_000, burst: 1_000 }),
      plans,
      measureDisk: async () => undefined,
      keys: {
        find: async (_kind, key) => (key === 'right' ? account : undefined),
        isDisabled: () => false,
      } as Partial<Keys> as Keys,
      ledger: {
        async reserve() {
          admissions -= 1;
          const allowance = { limit: 5, remaining: 0, reset: 2 };
          if (admissions < 0) throw new LimitError('rate_limited', 'Slow down.', allowance);
          return { allowance, settle: async () => allowance };
        },
      } as Partial<Ledger> as Ledger,
      storedDescriptions: {
        find: () => Promise.reject(new MillraceError('not_found', 'No stored job description has this ID.')),
      } as Partial<StoredDescriptions> as StoredDescriptions,
      sealers,
      worlds: {
        live: {
          sealer,
          storedOrders: { find: async (id) => storedOrders.find(({ orderId }) => orderId === id)?.order },
          previewJob: () => Promise.reject(new Error('a batch plans nothing')),
        },
      },
      addresses: () => ({ base: render, api: render, render }),
    },
    (link, name) => `${render}/files/${link}/${name}`,
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

async function send(jobs: readonly unknown[], key = 'right') {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/render/batch',
    headers,
    payload: JSON.stringify({ jobs }),
  });
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  return answer.json<{ results: { statusCode: number; retryAfter?: number; body: Record<string, unknown> }[] }>()
    .results;
}

const link = (id: string, lifetime = 60_000, description: JobDescription = job(id)) => ({
  executionUrl: createExecutionUrl(
    sealer,
    render,
    { description, exit: 'direct', owner: 'extraction:1', expiresAt: Date.now() + lifetime },
    (order) => storedOrders.push(order),
  ),
});

test('starts each item by its own method, in order, and returns the same responses as single calls', async () => {
  const results = await send([
    job('one'),
    link('p5-1'),
    { cacheId: 'unknown' },
    job('one'),
    { id: 'x' },
    link('p5-2', -1),
  ]);
  expect(started).toEqual(['render:1 one', 'extraction:1 p5-1']);
  expect(results.map(({ statusCode }) => statusCode)).toEqual([202, 202, 404, 200, 400, 410]);
  expect(results[0]?.body).toEqual({
    jobId: 'one',
    status: 'queued',
    message: expect.stringMatching(/^Well\. The job's ID looks easy to guess\./),
    statusUrl: 'ws://render.example/api/v1/render/status/one',
    sseStatusUrl: 'http://render.example/api/v1/render/status/sse/one',
  });
  expect(results[4]?.body).toMatchObject({ error: { code: 'invalid_body', fields: expect.any(Array) } });
});

test('rejects only job descriptions, and no execution URLs, if the key is wrong', async () => {
  const results = await send([job('one'), link('p5-1')], 'wrong');
  expect(results.map(({ statusCode }) => statusCode)).toEqual([401, 202]);
});

test('gives each item a turn of the event loop', async () => {
  const turns: number[] = [];
  let turn = 0;
  onStart = () => turns.push(turn);
  const count = () => {
    turn += 1;
    if (turns.length < 3) setImmediate(count);
  };
  count();
  await send([link('p5-1'), link('p5-2'), link('p5-3')]);
  expect(new Set(turns).size).toBe(3);
});

test('starts a stored order without a key', async () => {
  const url = `https://cdn.example/${randomBytes(6_000).toString('hex')}`;
  const item = link('p5-1', 60_000, { ...job('p5-1'), inputs: [{ url, ext: 'mp4' }] });
  expect(storedOrders).toHaveLength(1);
  expect((await send([item], 'wrong')).map(({ statusCode }) => statusCode)).toEqual([202]);
  expect(started).toEqual(['extraction:1 p5-1']);
});

test('returns a retry time for an item over a limit', async () => {
  admissions = 2;
  const results = await send([job('one'), job('two'), job('three')]);
  expect(results.map(({ statusCode, retryAfter }) => [statusCode, retryAfter])).toEqual([
    [202, undefined],
    [202, undefined],
    [429, 2],
  ]);
});

test('limits a description to the same size as in a single call', async () => {
  const headers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, 'x'.repeat(8_000)]));
  const [large, small] = await send([{ ...job('one'), requestOptions: { headers } }, job('two')]);
  expect([large?.statusCode, small?.statusCode]).toEqual([413, 202]);
});

test('rejects a preview of a batch, and starts nothing', async () => {
  const payload = { jobs: [job('one')] };
  const answer = await app.inject({ method: 'POST', url: '/api/v1/render/batch?plan=only', payload });
  expect(started).toEqual([]);
  expect(answer.statusCode).toBe(400);
});

test('limits the size of a batch', async () => {
  const payload = JSON.stringify({ jobs: ['x'.repeat(1024 * 1024)] });
  const headers = { 'content-type': 'application/json' };
  const answer = await app.inject({ method: 'POST', url: '/api/v1/render/batch', headers, payload });
  expect(answer.statusCode).toBe(413);
});

test('reports a service error for the affected item, without internal details', async () => {
  onStart = (id) => {
    if (id === 'one') throw new Error('the password is hunter2');
  };
  const [failure, success] = await send([job('one'), job('two')]);
  expect([failure?.statusCode, success?.statusCode]).toEqual([500, 202]);
  expect(JSON.stringify(failure)).not.toContain('hunter2');
});

test('does not start the remaining items if the service is slow, and reports that', async () => {
  const now = performance.now.bind(performance);
  onStart = () => vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
  const results = await send([job('one'), job('two'), job('three')]);
  expect(results.map(({ statusCode }) => statusCode)).toEqual([202, 503, 503]);
  expect(started).toEqual(['render:1 one']);
});
