import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../packages/client/src/webhook.ts';
import { fakeReceiver, secret } from './testing/webhook-fixture.ts';
import { createWebhookTester } from './webhook-test.ts';

const webhook = { url: 'https://hooks.example/', secret };
const signal = new AbortController().signal;

describe('a test of a webhook', () => {
  test('sends one signed event and reports the response', async () => {
    const { requests, egress } = fakeReceiver(() => 204);
    const result = await createWebhookTester(egress)('me', webhook, signal);
    expect(result).toMatchObject({ delivered: true, status: 204, error: null, milliseconds: expect.any(Number) });
    const [request, ...others] = requests;
    expect(others).toEqual([]);
    const { id, event } = await verifyWebhook(
      { headers: request?.headers?.values ?? {}, body: request?.body ?? '' },
      secret,
    );
    expect(id).toBe(result.id);
    expect(event).toMatchObject({ test: true, status: 'failed', output: null, error_code: 'cancelled' });
  });

  test('is not repeated after a failure', async () => {
    const { requests, egress } = fakeReceiver(() => 503);
    const result = await createWebhookTester(egress)('me', webhook, signal);
    expect(result).toMatchObject({ delivered: false, status: 503, error: 'The receiver did not accept the event.' });
    expect(requests).toHaveLength(1);
  });

  test('runs at most twice concurrently for an owner, and eight times for all', async () => {
    const response = Promise.withResolvers<number>();
    const { egress } = fakeReceiver(() => response.promise);
    const send = createWebhookTester(egress);
    const running = [send('me', webhook, signal), send('me', webhook, signal)];
    const refusal = { code: 'rate_limited', retryAfter: 5 };
    await expect(send('me', webhook, signal)).rejects.toMatchObject(refusal);
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) running.push(send(owner, webhook, signal));
    await expect(send('g', webhook, signal)).rejects.toMatchObject(refusal);
    response.resolve(200);
    await Promise.all(running);
    expect(await send('me', webhook, signal)).toMatchObject({ delivered: true });
  });
});
