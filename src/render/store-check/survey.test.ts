import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import type { Storage } from '../../storage/storage.ts';
import { removalLimit, surveyStore } from './survey.ts';

test.each([
  [0, 1],
  [1, 1],
  [39, 1],
  [40, 2],
  [1_000, 50],
  [2_000, 100],
  [1_000_000, 100],
])('limits %i files to %i removals', (files, most) => {
  expect(removalLimit(files)).toBe(most);
});

describe('while the store is listed', () => {
  const { signal } = new AbortController();
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.query('delete from render_jobs');
  });

  /** Adds done jobs. Returns the keys of their files. */
  async function addJobs(count: number): Promise<string[]> {
    const keys = Array.from({ length: count }, () => randomUUID());
    await database.query(
      `insert into render_jobs (id, owner, state, ttl, file_key, expires_at)
       select key, 'me', 'done', 1, key, now() + interval '1 hour' from unnest($1::text[]) as key`,
      [keys],
    );
    return keys;
  }

  /** Compares with a store that has these files, after running `meanwhile`. */
  async function survey(files: readonly string[], meanwhile: string, keys: readonly string[]) {
    const storage: Pick<Storage, 'keys'> = {
      async *keys() {
        await database.query(meanwhile, [keys]);
        yield files;
      },
    };
    // A survey uses only this method.
    return await surveyStore(database, storage as Storage, signal);
  }

  test.each([
    ['expire', `update render_jobs set expires_at = now() where file_key = any($1)`],
    ['expire and are deleted', 'delete from render_jobs where file_key = any($1)'],
    ['run again', `update render_jobs set state = 'queued', file_key = null where file_key = any($1)`],
  ])('does not count jobs that %s as jobs without a file', async (_, meanwhile) => {
    const [missing = '', ...present] = await addJobs(4);
    const ended = await addJobs(3);
    expect(await survey(present, meanwhile, ended)).toMatchObject({ expected: 4, missing: [missing] });
  });
});
