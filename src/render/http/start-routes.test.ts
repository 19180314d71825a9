import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account, Keys } from '../../accounts/keys.ts';
import type { Ledger } from '../../accounts/ledger.ts';
import { noBlocks } from '../../blocks/block-index.ts';
import { blocking } from '../../blocks/testing/test-blocks.ts';
import type { JobDescription } from '../../contract/job.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { plans } from '../../contract/subscription-plans.ts';
import { createSealer, type Sealer } from '../../sealing/sealer.ts';
import { createSealers } from '../../sealing/sealers.ts';
import { createExecutionUrl, type LongOrder } from '../jobs/execution-url.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { StoredDescriptions } from '../jobs/stored-descriptions.ts';
import { createJobRates } from './job-rates.ts';
import type { StartWorld } from './job-starter.ts';
import { addStartRoutes } from './start-routes.ts';

const secret = 'a secret for these tests';
const sealers = createSealers([secret]);
const sealer = sealers.live;
const description: JobDescription = {
  id: 'p5-1',
  inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
  output: { ext: 'mp4' },
  operation: { type: 'convert_format' },
};

/**
 * Creates a fake of {@link Jobs} that records each started job with its owner and exit. Calls can attach to the jobs in
 * `living`.
 */
function fakeJobs(living: readonly string[]) {
  const started: string[] = [];
  const jobs: Jobs = {
    async start(job, owner, { visitor, maxUnfinished, stored, test: isTest } = {}) {
      started.push(`${owner} ${job.id} ${job.exit}`);
      if (isTest) started.push(`test, at most ${maxUnfinished}`);
      else expect(maxUnfinished).toBeUndefined();
      if (stored?.quota !== undefined) started.push(`at most ${stored.quota} bytes of files`);
      if (visitor !== undefined) started.push(`${visitor.id} ${visitor.limits.atOnce}/${visitor.limits.perDay}`);
      return { jobId: job.id, isNew: true, message: '' };
    },
    async attach(id) {
      return living.includes(id) ? { jobId: id, isNew: false, message: '' } : undefined;
    },
    retry: async (id) => ({ jobId: id, isNew: true, message: '' }),
    cancel: async () => 'cancelled',
    deleteFinished: async () => undefined,
  };
  return { jobs, started };
}

let app: FastifyInstance;
let started: string[];
/** The stored orders. */
let orders: LongOrder[];

async function serve(living: readonly string[] = [], blocks = noBlocks, hasLab = false): Promise<void> {
  const fake = fakeJobs(living);
  started = fake.started;
  app = Fastify();
  const render = 'http://render.example';
  const worldOf = (each: Sealer): StartWorld => ({
    sealer: each,
    storedOrders: { find: async (id) => orders.find(({ orderId }) => orderId === id)?.order },
    previewJob: async () => Promise.reject(new Error('no plan is asked for')),
  });
  addStartRoutes(app, {
    jobs: fake.jobs,
    keys: {
      isDisabled: () => false,
      findAccount: async (id: string): Promise<Account | undefined> =>
        id === 'extraction:1' ? { id, plan: plans.PRO, test: true } : undefined,
    } as unknown as Keys,
    ledger: {} as Ledger,
    storedDescriptions: {} as StoredDescriptions,
    sealers,
    worlds: { live: worldOf(sealer), ...(hasLab ? { test: worldOf(sealers.test) } : {}) },
    addresses: () => ({ base: render, api: render, render }),
    blocks,
    visitorLimits: { atOnce: 3, perDay: 50, storedSize: 1e9 },
    jobRates: createJobRates({ perMinute: 1_000, burst: 1_000 }),
    plans,
    measureDisk: async () => undefined,
  });
}

beforeEach(() => {
  orders = [];
  return serve();
});
afterEach(() => app.close());

const url = (by: Sealer, lifetime: number, content = description) =>
  createExecutionUrl(
    by,
    '',
    { description: content, exit: 'fr-1', owner: 'extraction:1', expiresAt: Date.now() + lifetime },
    (order) => orders.push(order),
  );

describe('a sealed execution URL', () => {
  test('of a test key starts a test job within the limit of its plan if there is a lab, and never a live one', async () => {
    const sealed = url(sealers.test, 600_000);
    const refused = await app.inject(sealed);
    expect([refused.statusCode, refused.body]).toEqual([503, expect.stringContaining('LAB=on')]);
    await app.close();
    await serve([], noBlocks, true);
    const answer = await app.inject(sealed);
    expect([answer.statusCode, answer.json().test]).toEqual([202, true]);
    expect(started).toEqual(['extraction:1 p5-1 fr-1', 'test, at most 20']);
  });

  test('limits the stored files of its owner, or of all visitors, to those of the plan that the URL states', async () => {
    const base = {
      description,
      exit: 'direct',
      owner: 'extraction:1',
      plan: 'PRO' as const,
      expiresAt: Date.now() + 9_000,
    };
    for (const order of [base, { ...base, visitor: 'someone' }]) {
      await app.inject(createExecutionUrl(sealer, '', order, () => undefined));
      expect(started.splice(0)[1]).toBe('at most 50000000000 bytes of files');
    }
    await app.close();
    await serve([], noBlocks, true);
    await app.inject(createExecutionUrl(sealers.test, '', base, () => undefined));
    expect(started).toContain('at most 50000000000 bytes of files');
  });

  test('starts the job for its owner', async () => {
    const answer = await app.inject(url(sealer, 600_000));
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([202, 'no-store']);
    expect(started).toEqual(['extraction:1 p5-1 fr-1']);
  });

  test('counts the job for the visitor of the page who received it, also if its order is stored', async () => {
    const base = { exit: 'direct', owner: 'extraction:1', visitor: 'someone', expiresAt: Date.now() + 1_000 };
    const [input] = description.inputs;
    const long = {
      ...description,
      inputs: [{ ...input, url: `https://cdn.example/${randomBytes(9_000).toString('base64url')}` }],
    };
    for (const content of [description, long as typeof description]) {
      const executionUrl = createExecutionUrl(sealer, '', { ...base, description: content }, (order) =>
        orders.push(order),
      );
      expect((await app.inject(executionUrl)).statusCode).toBe(202);
    }
    expect(orders).toHaveLength(1);
    const start = ['extraction:1 p5-1 direct', 'someone 3/50'];
    expect(started).toEqual([...start, ...start]);
  });

  test('starts nothing if the operator has blocked the item or the host of an input', async () => {
    const [input] = description.inputs;
    const host = new URL(input?.url ?? '').hostname;
    for (const blocks of [blocking('item', 'p5', 'x1'), blocking('host', '', host)]) {
      await app.close();
      await serve([], blocks);
      const item = { platform: 'p5', endpoint: '/video/details', parameters: {}, content: 0, subjects: ['p5/item/x1'] };
      const order = { description, item, exit: 'direct', owner: 'extraction:1', expiresAt: Date.now() + 1_000 };
      const answer = await app.inject(createExecutionUrl(sealer, '', order, () => undefined));
      expect(answer.statusCode).toBe(451);
    }
    expect(started).toEqual([]);
  });

  test('starts nothing after it has expired, but attaches to an existing job', async () => {
    expect((await app.inject(url(sealer, -1))).statusCode).toBe(410);
    await app.close();
    await serve(['p5-1']);
    expect((await app.inject(url(sealer, -1))).statusCode).toBe(200);
    expect(started).toEqual([]);
  });

  test('works while the replaced secret that sealed it is retained', async () => {
    expect((await app.inject(url(createSealer(['another secret of the tests']), 600_000))).statusCode).toBe(403);
    expect((await app.inject(url(createSealer([secret, 'another secret of the tests']), 600_000))).statusCode).toBe(
      202,
    );
  });

  test('is rejected if it was truncated or altered anywhere', async () => {
    const whole = url(sealer, 600_000);
    const begin = whole.indexOf('=') + 1;
    for (let at = begin; at < whole.length; at += 7) {
      const other = whole[at] === 'A' ? 'B' : 'A';
      const tampered = whole.slice(0, at) + other + whole.slice(at + 1);
      expect((await app.inject(tampered)).statusCode).toBe(403);
      expect((await app.inject(whole.slice(0, at))).statusCode).toBe(403);
    }
    expect(started).toEqual([]);
  });

  test('is rejected if it was sealed for another purpose', async () => {
    const order = { description, owner: 'extraction:1', expiresAt: Date.now() + 600_000 };
    for (const purpose of [
      'file-link',
      'job-description',
      'newer-job-description',
      'page-token',
      'relay-link',
    ] as const) {
      const answer = await app.inject(`/api/v1/render/execute?order=${sealer.seal(purpose, order)}`);
      expect(answer.statusCode).toBe(403);
    }
  });

  test('from a newer version can be retried in a moment', async () => {
    const newer: JobDescription & { watermark: boolean } = { ...description, watermark: true };
    const answer = await app.inject(url(sealer, 600_000, newer));
    expect(answer.statusCode).toBe(503);
    expect(started).toEqual([]);
  });

  test('is rejected if it occurs twice in one query', async () => {
    const twice = url(sealer, 600_000);
    expect((await app.inject(`${twice}&${twice.slice(twice.indexOf('?') + 1)}`)).statusCode).toBe(403);
  });
});

describe('the execution URL of a stored order', () => {
  /** Returns the URL of an order that is too long for it. */
  function longUrl(lifetime: number, by = sealer): string {
    const link = `https://cdn.example/${randomBytes(6_000).toString('hex')}`;
    return url(by, lifetime, { ...description, inputs: [{ url: link, ext: 'mp4' }] });
  }

  test('starts the job for its owner through its exit', async () => {
    const whole = longUrl(600_000);
    expect(orders).toHaveLength(1);
    const response = await app.inject(whole);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([202, 'no-store']);
    expect(started).toEqual(['extraction:1 p5-1 fr-1']);
  });

  test('starts nothing after it has expired, but attaches to an existing job', async () => {
    expect((await app.inject(longUrl(-1))).statusCode).toBe(410);
    await app.close();
    await serve(['p5-1']);
    const whole = longUrl(-1);
    orders = [];
    expect((await app.inject(whole)).statusCode).toBe(200);
    expect(started).toEqual([]);
  });

  test('returns 410 if its order no longer exists', async () => {
    const whole = longUrl(600_000);
    orders = [];
    for (const path of [whole, `${whole}&plan=only`]) expect((await app.inject(path)).statusCode).toBe(410);
  });

  test('starts nothing on HEAD', async () => {
    expect((await app.inject({ method: 'HEAD', url: longUrl(600_000) })).statusCode).toBe(200);
    expect(started).toEqual([]);
  });

  test('is rejected if it was truncated or altered anywhere, without a search for the order', async () => {
    const whole = longUrl(600_000);
    orders = [];
    const begin = whole.indexOf('=') + 1;
    for (let at = begin; at < whole.length; at += 3) {
      const other = whole[at] === 'A' ? 'B' : 'A';
      const tampered = whole.slice(0, at) + other + whole.slice(at + 1);
      expect((await app.inject(tampered)).statusCode).toBe(403);
      expect((await app.inject(whole.slice(0, at))).statusCode).toBe(403);
    }
  });

  test('is not the ID itself, which starts nothing on its own', async () => {
    longUrl(600_000);
    const id = orders[0]?.orderId ?? '';
    expect((await app.inject(`/api/v1/render/execute?order=${id}`)).statusCode).toBe(403);
  });

  test.each(['stored-order', 'job-description', 'file-link'] as const)(
    'is rejected if it was sealed as %s or with another secret',
    async (purpose) => {
      longUrl(600_000);
      const reference = {
        orderId: orders[0]?.orderId,
        jobId: 'p5-1',
        owner: 'extraction:1',
        expiresAt: Date.now() + 600_000,
      };
      const forgeries = [
        sealer.seal(purpose, reference),
        createSealer(['the secret of an attacker']).seal('execution-url', reference),
      ];
      for (const forged of forgeries) {
        expect((await app.inject(`/api/v1/render/execute?order=${forged}`)).statusCode).toBe(403);
      }
      expect(started).toEqual([]);
    },
  );

  test('from a newer version can be retried in a moment', async () => {
    const whole = longUrl(600_000);
    orders = orders.map(({ orderId, order }) => {
      const newer: JobDescription & { watermark: boolean } = { ...order.description, watermark: true };
      return { orderId, order: { ...order, description: newer } };
    });
    expect((await app.inject(whole)).statusCode).toBe(503);
  });
});

describe('a job description from a caller', () => {
  test.each([
    ['an origin', { origin: { platform: 'p1', endpoint: '/video/details', parameters: {}, content: 0 } }],
    ['an exit', { exit: 'fr-1' }],
    ['an owner', { owner: 'extraction:1' }],
  ])('is rejected if it has %s', (_, member) => {
    expect(() => parseJob({ ...description, ...member })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });
});
