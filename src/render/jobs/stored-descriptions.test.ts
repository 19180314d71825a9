import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { testSealer } from '../testing/job-database.ts';
import { jobWithId } from '../testing/job-store-implementations.ts';
import { openStoredDescriptions, type StoredDescriptions } from './stored-descriptions.ts';

let database: TestDatabase;
let descriptions: StoredDescriptions;
beforeAll(async () => {
  database = await openTestDatabase();
  descriptions = openStoredDescriptions(database, testSealer);
});
afterEach(() => database.query('delete from render_cache'));
afterAll(() => database.close());

const refusal = {
  code: 'rate_limited',
  retryable: true,
  retryAfter: expect.any(Number),
  message: expect.stringContaining('when others have expired'),
};
const bytes = 1024 * 1024;

/** Stores descriptions at the same moment; returns how many were stored, and the first error. */
async function storeAll(count: number, quota: { readonly rows: number; readonly bytes: number }, owner = 'me') {
  const calls = Array.from({ length: count }, () => descriptions.store(jobWithId('one'), owner, quota));
  const outcomes = await Promise.allSettled(calls);
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  return { stored: count - errors.length, error: errors[0] };
}

test('an owner can store a number of descriptions, also with concurrent calls', async () => {
  expect(await storeAll(5, { rows: 3, bytes })).toMatchObject({ stored: 3, error: refusal });
  expect(await storeAll(3, { rows: 3, bytes }, 'someone else')).toMatchObject({ stored: 3 });
});

test('an owner can store a number of bytes', async () => {
  await descriptions.store(jobWithId('one'), 'me');
  const [row] = await database.query<{ size: number }>('select octet_length(description) as size from render_cache');
  expect(await storeAll(4, { rows: 100, bytes: Math.floor(3.5 * (row?.size ?? 0)) })).toMatchObject({
    stored: 2,
    error: refusal,
  });
});

test('expired descriptions do not count', async () => {
  expect(await storeAll(2, { rows: 2, bytes })).toMatchObject({ stored: 2 });
  await database.query('update render_cache set expires_at = now()');
  expect(await storeAll(3, { rows: 2, bytes })).toMatchObject({ stored: 2, error: refusal });
});
