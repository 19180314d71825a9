import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type JobDatabase, openJobDatabase, testJob } from '../testing/job-database.ts';
import { type JobListFilter, type ListPosition, listJobs } from './list-jobs.ts';

let jobs: JobDatabase;
beforeAll(async () => {
  jobs = await openJobDatabase(100);
});
afterAll(() => jobs.close());
beforeEach(() => jobs.clear());

/** Returns the IDs of each page of a list. */
async function pagesOf(filter: JobListFilter): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: ListPosition | undefined; ; ) {
    const page = await listJobs(jobs.database, { ...filter, after });
    pages.push(page.jobs.map(({ id }) => id));
    if (page.next === undefined) return pages;
    after = page.next;
  }
}

describe('a list of jobs', () => {
  test('has the jobs of its owner, newest first, in pages', async () => {
    for (const id of ['one', 'two', 'three', 'four']) await jobs.start(id);
    await jobs.jobs.start(testJob('of another'.replace(' ', '-')), 'another');
    expect(await pagesOf({ owner: 'me', limit: 3 })).toEqual([['four', 'three', 'two'], ['one']]);
    expect(await pagesOf({ owner: 'me', limit: 4 })).toEqual([['four', 'three', 'two', 'one']]);
    expect(await pagesOf({ owner: 'nobody', limit: 4 })).toEqual([[]]);
    expect(await pagesOf({ limit: 10 })).toEqual([['of-another', 'four', 'three', 'two', 'one']]);
  });

  test('has each job once if many were created in one microsecond, and while others are added', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await jobs.start(id);
    await jobs.database.query("update render_jobs set created_at = '2026-11-26T10:00:00.123456Z'");
    await jobs.start('newest');
    const first = await listJobs(jobs.database, { owner: 'me', limit: 3 });
    await jobs.start('later');
    const second = await listJobs(jobs.database, { owner: 'me', limit: 9, after: first.next });
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(['newest', 'e', 'd', 'c', 'b', 'a']);
  });

  test('omits other states, other requests and expired jobs', async () => {
    for (const id of ['waiting', 'done', 'failed', 'expired']) await jobs.start(id);
    const change = (id: string, values: string) =>
      jobs.database.query(`update render_jobs set ${values} where id = $1`, [id]);
    await change('done', "state = 'done', request_id = 'a request'");
    await change('failed', "state = 'failed'");
    await change('expired', "expires_at = now() - interval '1 second'");
    expect(await pagesOf({ owner: 'me', limit: 9 })).toEqual([['failed', 'done', 'waiting']]);
    expect(await pagesOf({ owner: 'me', limit: 9, states: ['done', 'failed'] })).toEqual([['failed', 'done']]);
    expect(await pagesOf({ limit: 9, requestId: 'a request' })).toEqual([['done']]);
  });

  test('contains nothing of the description', async () => {
    await jobs.start('job');
    const { jobs: listed } = await listJobs(jobs.database, { owner: 'me', limit: 1 });
    expect(Object.keys(listed[0] ?? {})).not.toContain('description');
    expect(listed).toMatchObject([{ id: 'job', owner: 'me', state: 'queued', run: null, worker: null }]);
  });
});
