import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { stack } from '../../test/support/storage-stack.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { openLedger } from './ledger.ts';
import { openUsage } from './usage.ts';

const log = pino({ level: 'silent' });
const limits = { credits: 10, perSecond: 1_000_000 };

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['credit_holds', 'account_usage']) await database.query(`delete from ${table}`);
});

/** Opens a ledger whose calls can time out: `sent` contains the calls that the server has not run yet. */
async function openImpatient() {
  const state = { sends: true, sent: [] as (() => Promise<unknown>)[] };
  const query: Database['query'] = async <Row>(text: string, parameters?: readonly unknown[]) => {
    const run = () => database.query<Row>(text, parameters);
    if (state.sends) return await run();
    state.sent.push(run);
    throw new Error('the database has not answered');
  };
  const ledger = await openLedger({ ...database, query }, false, log);
  onTestFinished(() => ledger.close());
  return { ledger, state };
}

const spentCredits = async () => (await openUsage(database).ofAccount('me'))[0]?.credits ?? 0;
const holds = () => database.query<{ credits: number }>('select credits from credit_holds');

describe('a call that the server runs after the next one', () => {
  test('keeps the credits of running requests reserved', async () => {
    const { ledger, state } = await openImpatient();
    const first = await ledger.reserve('me', limits, 2);
    state.sends = false;
    await expect(ledger.reserve('me', limits, 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    state.sends = true;
    const second = await ledger.reserve('me', limits, 8);
    await state.sent[0]?.();
    expect([await spentCredits(), await holds()]).toEqual([10, [{ credits: 10 }]]);
    await expect(ledger.pay('me', limits, 1)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await Promise.all([first.settle(1), second.settle(8)]);
    expect([await spentCredits(), await holds()]).toEqual([9, [{ credits: 0 }]]);
  });

  test('charges nothing for a failed request', async () => {
    const { ledger, state } = await openImpatient();
    const reservation = await ledger.reserve('me', limits, 5);
    state.sends = false;
    await expect(reservation.settle(5)).rejects.toMatchObject({ code: 'service_unavailable' });
    state.sends = true;
    await (await ledger.reserve('me', limits, 3)).settle(3);
    for (const run of [...state.sent, ...state.sent]) await run();
    expect(await spentCredits()).toBe(3);
  });
});

test('a call that the server runs twice charges its credits once', async () => {
  const { ledger, state } = await openImpatient();
  const reservation = await ledger.reserve('me', limits, 5);
  state.sends = false;
  await expect(reservation.settle(4)).rejects.toMatchObject({ code: 'service_unavailable' });
  state.sends = true;
  for (const run of [...state.sent, ...state.sent]) await run();
  expect(await (await ledger.reserve('me', limits, 6)).settle(0)).toMatchObject({ remaining: 6 });
});

// The embedded database has one connection, so nothing there can wait for a lock.
test.skipIf(stack === 'embedded')('a call that timed out while waiting for a lock reserves nothing', async () => {
  const { ledger, state } = await openImpatient();
  await database.query(`insert into account_usage (account, month, tokens)
    values ('me', to_char(now() at time zone 'utc', 'YYYY-MM'), 1000)`);
  const waiters = async () => {
    const [row] = await database.query<{ count: number }>(`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.count;
  };
  const other = await database.openAnother();
  onTestFinished(() => other.close());
  const { late, next } = await other.transaction(async (sql) => {
    await sql.query('select 1 from account_usage for update');
    state.sends = false;
    await expect(ledger.reserve('me', limits, 3)).rejects.toMatchObject({ code: 'service_unavailable' });
    state.sends = true;
    const late = state.sent[0]?.();
    await expect.poll(waiters).toBe(1);
    const next = ledger.reserve('me', limits, 4);
    await expect.poll(waiters).toBe(2);
    return { late, next };
  });
  await late;
  await (await next).settle(1);
  expect([await spentCredits(), await holds()]).toEqual([1, [{ credits: 0 }]]);
});
