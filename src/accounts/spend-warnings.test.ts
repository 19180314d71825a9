import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { accountIdOf } from './api-key.ts';
import { monthOf } from './billing-month.ts';
import { openKeys } from './keys.ts';
import { startSpendWarnings, takePassedWarnings } from './spend-warnings.ts';

const actor = { name: 'the tests' };
const month = '2026-11';
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('truncate retired_key_hashes, api_keys, account_usage, credit_holds');
});

/** Creates a key with a spend warning of 100 credits. */
async function keyWithWarning() {
  const keys = await openKeys(
    database,
    { hashing: ['a secret'], signing: ['a secret'] },
    plans,
    pino({ level: 'silent' }),
  );
  onTestFinished(() => keys.close());
  const { info } = await keys.create({ kind: 'extraction', plan: 'PRO', name: 'A customer' }, actor);
  await keys.update(info.id, { spendWarning: 100 }, actor);
  const account = accountIdOf(info);
  const spend = (credits: number, inMonth = month) =>
    database.query(
      `insert into account_usage (account, month, spent, tokens) values ($1, $2, $3, 1)
       on conflict (account, month) do update set spent = $3`,
      [account, inMonth, credits],
    );
  return { keys, info, account, spend };
}

test('a spend warning is taken once a month, by one node, when the credits are spent', async () => {
  const { info, spend } = await keyWithWarning();
  await spend(99);
  expect(await takePassedWarnings(database, month)).toEqual([]);
  await spend(120);
  const taken = await Promise.all([takePassedWarnings(database, month), takePassedWarnings(database, month)]);
  expect(taken.flat()).toEqual([{ id: info.id, name: 'A customer', plan: 'PRO', spendWarning: 100, credits: 120 }]);
  await spend(150);
  expect(await takePassedWarnings(database, month)).toEqual([]);
  await spend(100, '2026-12');
  expect(await takePassedWarnings(database, '2026-12')).toHaveLength(1);
});

test('reserved credits do not count', async () => {
  const { account, spend } = await keyWithWarning();
  await spend(105);
  await database.query(
    `insert into credit_holds (node, account, month, credits, expires_at) values (gen_random_uuid(), $1, $2, 6, now())`,
    [account, month],
  );
  expect(await takePassedWarnings(database, month)).toEqual([]);
});

test('a changed spend warning is taken again', async () => {
  const { keys, info, spend } = await keyWithWarning();
  await spend(300);
  expect(await takePassedWarnings(database, month)).toHaveLength(1);
  expect(await keys.get(info.id)).toMatchObject({ spendWarnedMonth: month });
  await keys.update(info.id, { name: 'Renamed' }, actor);
  expect(await takePassedWarnings(database, month)).toEqual([]);
  await keys.update(info.id, { spendWarning: 200 }, actor);
  expect(await takePassedWarnings(database, month)).toHaveLength(1);
});

test('a passed spend warning is logged and counted', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { info, spend } = await keyWithWarning();
  const current = monthOf(new Date());
  await spend(100, current);
  const lines: unknown[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  let passed = 0;
  const warnings = startSpendWarnings(database, log, {
    spendWarningPassed: () => {
      passed += 1;
    },
  });
  vi.advanceTimersByTime(60_000);
  await warnings.close();
  await vi.waitFor(() => expect(passed).toBe(1), { timeout: 60_000 });
  expect(lines).toEqual([
    expect.objectContaining({
      key: info.id,
      name: 'A customer',
      month: current,
      spendWarning: 100,
      credits: 100,
      msg: 'an account has passed its spend warning',
    }),
  ]);
});
