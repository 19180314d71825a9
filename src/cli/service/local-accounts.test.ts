import { expect, test } from 'vitest';
import { plans } from '../../contract/subscription-plans.ts';
import { freeLedger, localKeys } from './local-accounts.ts';

const keys = localKeys({
  EXTRACTION_KEYS: [{ plan: 'MEGA', key: 'mine' }],
  RENDER_KEYS: ['my jobs'],
  PLAN_LIMITS: plans,
});

test('a key gives access only to its own API, and an unknown key to none', async () => {
  const account = { plan: plans.MEGA, test: false };
  expect(await keys.find('extraction', 'mine')).toEqual({ id: 'extraction:command', ...account });
  expect(await keys.find('render', 'my jobs')).toEqual({ id: 'render:command', ...account });
  expect([await keys.find('render', 'mine'), await keys.find('extraction', '')]).toEqual([undefined, undefined]);
});

test('findAccount returns the accounts of jobs', async () => {
  expect(await keys.findAccount('render:command')).toMatchObject({ id: 'render:command' });
  expect(await keys.findAccount('render:other')).toBeUndefined();
});

test('requests cost nothing', async () => {
  const ledger = freeLedger();
  const limits = { credits: 10, perSecond: 1 };
  for (let request = 0; request < 20; request += 1) {
    const { settle } = await ledger.reserve('me', limits, 5);
    expect(await settle(5)).toMatchObject({ limit: 10, remaining: 10 });
    expect(await ledger.pay('me', limits, 5)).toMatchObject({ remaining: 10 });
  }
});
