import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { type JobDatabase, openJobDatabase, testSealer } from '../testing/job-database.ts';
import { openJobs } from './jobs.ts';

const worker = '00000000-0000-4000-8000-000000000001';
const webhook = { url: 'https://hooks.example/one', secret: 'the secret of a receiver' };

let store: JobDatabase;
beforeAll(async () => {
  store = await openJobDatabase(10);
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.clear();
  await store.start('one', { webhook });
  const claim = await store.queue.claim(worker);
  await store.queue.fail(claim?.run ?? '', new MillraceError('processing_failed', 'it broke'), 0);
});

const retry = () => store.jobs.retry('one', 'me');
const targets = () => store.database.query<{ target: string; state: string }>('select * from render_webhooks');

describe('retrying a job', () => {
  test('keeps its webhook, with a new event', async () => {
    const [before] = await targets();
    await retry();
    const [after, ...others] = await targets();
    expect([after?.state, others]).toEqual(['waiting', []]);
    expect(testSealer.open('webhook', after?.target ?? '')).toEqual(webhook);
    expect(after).not.toMatchObject({ delivery_id: (before as { delivery_id?: string } | undefined)?.delivery_id });
  });

  test.each([
    ['an earlier version ran it', 'update render_jobs set description = null'],
    ['its secret is no longer known', `update render_jobs set description = 'AAAA'`],
    ['an earlier version erased its webhook', 'update render_webhooks set target = null'],
  ])('is refused if %s', async (_name, statement) => {
    await store.database.query(statement);
    await expect(retry()).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      message: expect.stringContaining('no longer stored'),
    });
  });

  test('is refused for large jobs that fail after 100 others of their owner, which keep their descriptions', async () => {
    await store.database.query(`
      insert into render_jobs (id, owner, state, format, description, ttl, expires_at)
      select 'large-' || n, owner, 'failed', format, rpad(description, 5000, ' '), ttl, expires_at
      from render_jobs, generate_series(1, 101) n`);
    const kept = await store.database.query(
      `select from render_jobs where description is not null and id like 'large-%'`,
    );
    expect(kept).toHaveLength(100);
    await expect(store.jobs.retry('large-101', 'me')).rejects.toMatchObject({ code: 'conflict' });
    // Small descriptions, and those of others, are kept.
    await store.database.query(`
      insert into render_jobs (id, owner, state, format, description, ttl, expires_at)
      select 'other', 'other', 'failed', format, rpad(description, 5000, ' '), ttl, expires_at from render_jobs where id = 'one'`);
    expect(
      await store.database.query(`select from render_jobs where id in ('one', 'other') and description is not null`),
    ).toHaveLength(2);
    // A job of any state can fail.
    await store.database.query(
      `update render_jobs set state = 'queued', description = rpad('', 5000, 'x') where id = 'one'`,
    );
    await store.database.query(`update render_jobs set state = 'failed' where id = 'one'`);
    await expect(retry()).rejects.toThrow('no longer stored');
  });

  test('waits for nodes of the version that stored the description', async () => {
    await store.database.query('update render_jobs set format = 1000');
    await expect(retry()).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 5 });
  });

  test('happens once if it is requested twice concurrently', async () => {
    const other = await store.database.openAnother();
    const outcomes = await Promise.allSettled(
      [store.database, other].map((database) => openJobs(database, testSealer, 10).retry('one', 'me')),
    );
    await other.close();
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
  });

  test('is possible until the job expires', async () => {
    await store.database.query('update render_jobs set expires_at = now()');
    await expect(openJobs(store.database, testSealer, 10).retry('one', 'me')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
