import { describe, expect, test } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { authenticateExtraction, authenticateKeyHolder, authenticateRender, type Marketplace } from './authenticate.ts';
import type { Account } from './keys.ts';

const account: Account = { id: 'extraction:1', plan: plans.PRO, test: false };
const keys = {
  find: async (kind: string, key: string) =>
    key === 'ended'
      ? { ...account, endReason: 'revoked' as const }
      : key === 'good'
        ? { ...account, id: `${kind}:1` }
        : undefined,
};
const marketplace = (more: Partial<Marketplace> = {}): Marketplace => ({
  keys,
  plans,
  host: undefined,
  proxySecret: undefined,
  ...more,
});
const withKey = { 'x-marketplace-key': 'good', 'x-marketplace-host': 'API.example' };

describe('authentication of the extraction API', () => {
  test('identifies a caller by its key', async () => {
    expect(await authenticateExtraction(withKey, marketplace())).toEqual(account);
    expect(await authenticateExtraction(withKey, marketplace({ host: 'api.example' }))).toEqual(account);
  });

  test.each([
    ['no key', { ...withKey, 'x-marketplace-key': ' ' }, 401],
    ['no host', { 'x-marketplace-key': 'good' }, 401],
    ['an unknown key', { ...withKey, 'x-marketplace-key': 'bad' }, 401],
    ['an ended subscription', { ...withKey, 'x-marketplace-key': 'ended' }, 403],
  ])('refuses %s with %o', async (_name, headers, status) => {
    const refusal = authenticateExtraction(headers, marketplace());
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_user_details', status });
  });

  test('refuses a host other than its own', async () => {
    const refusal = authenticateExtraction(withKey, marketplace({ host: 'other.example' }));
    await expect(refusal).rejects.toMatchObject({ status: 403, message: expect.stringContaining('other.example') });
  });
});

describe('authentication behind a gateway', () => {
  const proxySecret = 'a secret of the tests';
  const behind = marketplace({ proxySecret });
  const headers = {
    'x-marketplace-proxy-secret': proxySecret,
    'x-marketplace-user': 'Alice B.',
    'x-marketplace-subscription': 'ultra',
  };

  test('identifies the caller that the gateway names', async () => {
    const named: Account = { id: 'gateway:Alice B.', plan: plans.ULTRA, test: false };
    expect(await authenticateExtraction(headers, behind)).toEqual(named);
  });

  test.each([
    ['a key only', withKey, 401],
    ['a wrong secret', { ...headers, 'x-marketplace-proxy-secret': `${proxySecret}s` }, 403],
    ['no caller', { ...headers, 'x-marketplace-user': '' }, 401],
    ['a caller in other characters', { ...headers, 'x-marketplace-user': 'Zo\u00eb' }, 403],
    ['no plan', { ...headers, 'x-marketplace-subscription': undefined }, 403],
    ['an unknown plan', { ...headers, 'x-marketplace-subscription': 'FREE' }, 403],
  ])('refuses %s', async (_name, given, status) => {
    const refusal = authenticateExtraction(given, behind);
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_user_details', status });
  });
});

test.each([undefined, 'Bearer', 'Basic good', 'Bearer bad', 'Bearer ended', 'Bearer good good'])(
  'the direct job API refuses "%s"',
  async (authorization) => {
    await expect(authenticateRender({ ...(authorization && { authorization }) }, keys)).rejects.toMatchObject({
      code: 'unauthorized',
      status: 401,
    });
  },
);

test('the direct job API identifies a caller by its key', async () => {
  expect(await authenticateRender({ authorization: 'bearer  good ' }, keys)).toMatchObject({ id: 'render:1' });
});

describe('authentication by either kind of key', () => {
  test('identifies a caller by a render key, an extraction key, or a gateway', async () => {
    const bearer = { authorization: 'Bearer good' };
    const render = { kind: 'render', account: { id: 'render:1' } };
    expect(await authenticateKeyHolder(bearer, marketplace())).toMatchObject(render);
    expect(await authenticateKeyHolder({ ...withKey, ...bearer }, marketplace())).toMatchObject(render);
    expect(await authenticateKeyHolder(withKey, marketplace())).toEqual({ kind: 'extraction', account });
    const gateway = {
      'x-marketplace-proxy-secret': 'a secret of the tests',
      'x-marketplace-user': 'Alice B.',
      'x-marketplace-subscription': 'PRO',
    };
    const behind = marketplace({ proxySecret: 'a secret of the tests' });
    expect(await authenticateKeyHolder(gateway, behind)).toMatchObject({ account: { id: 'gateway:Alice B.' } });
    await expect(authenticateKeyHolder(withKey, behind)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test.each([
    ['a request without a key', {}, 'unauthorized', 401],
    ['a request of the page', { 'x-millrace-page': '1', 'sec-fetch-site': 'same-origin' }, 'unauthorized', 401],
    ['an unknown render key', { authorization: 'Bearer bad' }, 'unauthorized', 401],
    [
      'an unknown render key beside a valid extraction key',
      { ...withKey, authorization: 'Bearer bad' },
      'unauthorized',
      401,
    ],
    ['an unknown extraction key', { ...withKey, 'x-marketplace-key': 'bad' }, 'invalid_user_details', 401],
    ['another host', { ...withKey, 'x-marketplace-host': 'other.example' }, 'invalid_user_details', 403],
    ['an ended subscription', { ...withKey, 'x-marketplace-key': 'ended' }, 'invalid_user_details', 403],
  ])('refuses %s', async (_name, headers, code, status) => {
    const refusal = authenticateKeyHolder(headers, marketplace({ host: 'api.example' }));
    await expect(refusal).rejects.toMatchObject({ code, status });
  });
});
