import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyWebhook } from '#client/webhook.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { signatureHeaders } from './signature-headers.ts';

const bounds = { seed: 8, numRuns: propertyRuns(200) };
const plainSecret = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_+/='), minLength: 16, maxLength: 64 });
const encodedSecret = fc
  .uint8Array({ minLength: 16, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const parts = fc.record({
  id: fc.uuid(),
  timestamp: fc.integer({ min: 0, max: 4_000_000_000 }),
  body: fc.json(),
  secret: fc.oneof(plainSecret, encodedSecret),
});

test('signs the example of Standard Webhooks as specified', () => {
  // The example of the specification.
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('creates signatures that the client library verifies only with the right secret', async () => {
  await fc.assert(
    fc.asyncProperty(parts, plainSecret, async (signed, other) => {
      const request = { headers: signatureHeaders(signed), body: signed.body };
      const now = signed.timestamp * 1_000;
      const result = await verifyWebhook(request, signed.secret, { now });
      expect(result).toEqual({ id: signed.id, event: JSON.parse(signed.body) });
      if (other === signed.secret) return;
      await expect(verifyWebhook(request, other, { now })).rejects.toMatchObject({ fault: 'forged' });
    }),
    bounds,
  );
});

test('creates signatures that are invalid for any other ID, time or body', async () => {
  await fc.assert(
    fc.asyncProperty(parts, fc.constantFrom('id', 'timestamp', 'body'), async (signed, part) => {
      const { id, timestamp, body } = signed;
      const headers = signatureHeaders(signed);
      const tampered = {
        headers: {
          ...headers,
          'webhook-id': part === 'id' ? `${id}x` : id,
          'webhook-timestamp': String(part === 'timestamp' ? timestamp + 1 : timestamp),
        },
        body: part === 'body' ? `${body} ` : body,
      };
      const verifying = verifyWebhook(tampered, signed.secret, { now: timestamp * 1_000 });
      await expect(verifying).rejects.toMatchObject({ fault: 'forged' });
    }),
    bounds,
  );
});
