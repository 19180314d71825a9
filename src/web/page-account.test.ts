import { expect, test } from 'vitest';
import type { Account } from '../accounts/keys.ts';
import { plans } from '../contract/subscription-plans.ts';
import { isPageRequest, openPageAccount } from './page-account.ts';

const rate = { perMinute: 60, burst: 2 };
const account: Account = { id: 'extraction:1', plan: plans.PRO, test: false };
const keysWith = (account: Account | undefined) => ({
  find: (kind: string, key: string) =>
    Promise.resolve(kind === 'extraction' && key === 'the-key' ? account : undefined),
});

test('isPageRequest accepts only requests that the browser declares same-origin', () => {
  const page = { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' };
  expect(isPageRequest(page)).toBe(true);
  expect(isPageRequest({ 'x-millrace-page': '1' })).toBe(false);
  expect(isPageRequest({ 'sec-fetch-site': 'same-origin' })).toBe(false);
  for (const site of ['same-site', 'cross-site', 'none'])
    expect(isPageRequest({ ...page, 'sec-fetch-site': site })).toBe(false);
  // If a request has its own key, the service uses that key.
  expect(isPageRequest({ ...page, 'x-marketplace-key': 'k' })).toBe(false);
});

test('visitors share the account of the key, each with a pseudonym', async () => {
  const page = openPageAccount(keysWith(account), 'the-key', rate);
  expect(await page.isOpen()).toBe(true);
  const [one, same, other] = [
    await page.forRequest({ clientAddress: '203.0.113.1' }),
    await page.forRequest({ clientAddress: '203.0.113.1' }),
    await page.forRequest({ clientAddress: '2001:db8::1' }),
  ];
  expect(one).toEqual({ ...account, visitor: expect.stringMatching(/^[\w-]{16}$/) });
  expect(same.visitor).toBe(one.visitor);
  expect(other.visitor).not.toBe(one.visitor);
  const otherKey = openPageAccount({ find: async () => account }, 'other-key', rate);
  expect((await otherKey.forRequest({ clientAddress: '203.0.113.1' })).visitor).not.toBe(one.visitor);
  await expect(page.forRequest({ clientAddress: '203.0.113.1' })).rejects.toMatchObject({
    code: 'rate_limited',
    status: 429,
  });
});

test.each([
  ['without a key', keysWith(account), undefined],
  ['with an unknown key', keysWith(undefined), 'the-key'],
  ['with a revoked key', keysWith({ ...account, endReason: 'revoked' }), 'the-key'],
])('the page is off %s', async (_how, keys, key) => {
  const page = openPageAccount(keys, key, rate);
  expect(await page.isOpen()).toBe(false);
  await expect(page.forRequest({ clientAddress: '203.0.113.1' })).rejects.toMatchObject({
    code: 'invalid_user_details',
    status: 403,
  });
});
