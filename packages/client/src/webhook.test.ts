import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../src/testing/property-runs.ts';
import { MillraceWebhookError } from './errors.ts';
import { verifyWebhook } from './webhook.ts';

// The example of the Standard Webhooks specification.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"test": 2432232314}';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': signature,
};
const now = 1_614_265_330_000;

describe('a webhook from the service', () => {
  test.each([
    ['as text, with plain headers', { headers, body }],
    ['with the headers of a Request', { headers: new Headers(headers), body }],
    ['as bytes', { headers, body: new TextEncoder().encode(body) }],
    [
      'with other signatures beside',
      { headers: { ...headers, 'webhook-signature': `v1a,x v1,AAAA ${signature}` }, body },
    ],
  ])('is accepted %s', async (_, webhook) => {
    expect(await verifyWebhook(webhook, secret, { now })).toEqual({
      id: headers['webhook-id'],
      event: { test: 2_432_232_314 },
    });
  });

  test('is accepted with header names in any case', async () => {
    const inCapitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await verifyWebhook({ headers: inCapitals, body }, secret, { now })).toHaveProperty('event');
  });

  test.each([
    [299, undefined],
    [-299, undefined],
    [301, 'stale'],
    [-301, 'stale'],
  ])('is accepted for five minutes: %i s later', async (seconds, fault) => {
    const verification = verifyWebhook({ headers, body }, secret, { now: now + seconds * 1_000 });
    if (fault === undefined) expect(await verification).toHaveProperty('event');
    else await expect(verification).rejects.toMatchObject({ name: 'MillraceWebhookError', fault, retryable: false });
  });
});

describe('an invalid webhook', () => {
  test.each(Object.keys(headers))('is rejected if it lacks %s', async (name) => {
    const webhook = { headers: { ...headers, [name]: undefined }, body };
    await expect(verifyWebhook(webhook, secret, { now })).rejects.toMatchObject({ fault: 'incomplete' });
  });

  test('is rejected if its signature is made up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 200 }), async (madeUpSignature) => {
        const webhook = { headers: { ...headers, 'webhook-signature': madeUpSignature }, body };
        const error = await verifyWebhook(webhook, secret, { now }).catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(MillraceWebhookError);
      }),
      { seed: 8, numRuns: propertyRuns(300) },
    );
  });

  test('is rejected if its timestamp is not a number', async () => {
    const webhook = { headers: { ...headers, 'webhook-timestamp': 'soon' }, body };
    await expect(verifyWebhook(webhook, secret, { now })).rejects.toMatchObject({ fault: 'forged' });
  });
});

test('an invalid secret throws a TypeError', async () => {
  await expect(verifyWebhook({ headers, body }, 'whsec_%%%', { now })).rejects.toThrow(TypeError);
});
