import { expect, test } from 'vitest';
import { createDelivery } from './delivery.ts';
import type { RelayOrder } from './relay-link.ts';

test('a caller that stops reading makes the source wait after one chunk', async () => {
  const delivery = createDelivery({}, true);
  const head = { status: 200, url: 'https://a.example/', headers: { 'content-length': '1000000' } };
  const order = { url: head.url, mediaType: 'video/mp4' } as RelayOrder;
  const sink = delivery.accept(head, order);
  const chunk = Buffer.alloc(64 * 1024);
  const waiting = sink?.write(chunk);
  expect(waiting).toBeInstanceOf(Promise);
  const { body } = await delivery.response;
  expect(body?.readableLength).toBe(chunk.length);
  body?.resume();
  await waiting;
});
