import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxUrlLength } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import {
  createExecutionUrl,
  type ExecutionOrder,
  type LongOrder,
  openOrder,
  parseExecutionUrl,
} from './execution-url.ts';

const sealer = createSealer(['a secret for these tests']);
const order = {
  description: {
    id: 'p5-1',
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' as const },
  },
  exit: 'fr-1',
  owner: 'extraction:1',
  expiresAt: 1,
};

/** Returns an order whose link has this many characters that cannot be compressed. */
function orderWithLink(length: number) {
  const url = `https://cdn.example/${randomBytes(length)
    .toString('base64url')
    .slice(0, length - 20)}`;
  return { ...order, description: { ...order.description, inputs: [{ url, ext: 'mp4' }] } };
}

/** Creates the URL of an order, and returns it with the orders that must be stored. */
function createUrl(content: ExecutionOrder, address = 'https://render.example') {
  const stored: LongOrder[] = [];
  return { url: createExecutionUrl(sealer, address, content, (longOrder) => stored.push(longOrder)), stored };
}

/** Opens an execution URL. */
function openUrl(url: string) {
  const link = parseExecutionUrl(url);
  return 'order' in link ? openOrder(sealer, link.order) : undefined;
}

test.each(['https://render.example', 'http://127.0.0.1:8080', 'https://example.com/below/a/path'])(
  'reads the content of an execution URL below %s',
  (address) => {
    const { url, stored } = createUrl(order, address);
    expect(openUrl(url)).toEqual({ jobId: 'p5-1', owner: 'extraction:1', expiresAt: 1, content: order });
    expect(stored).toEqual([]);
    const id = 'AAAA_BBBB-CCCC00001111';
    expect(parseExecutionUrl(`${address}/api/v1/render/execute/${id}`)).toEqual({ cacheId: id });
  },
);

describe('the URL of an order that is too long for it', () => {
  test('has the ID under which the unchanged order is stored, and names its job, owner and expiry', () => {
    const long = orderWithLink(9_000);
    const { url, stored } = createUrl(long);
    const orderId = stored[0]?.orderId ?? '';
    expect(stored).toEqual([{ orderId, order: long }]);
    expect(openUrl(url)).toMatchObject({ jobId: 'p5-1', owner: 'extraction:1', expiresAt: 1, content: { orderId } });
    expect(url.length).toBeLessThan(400);
  });

  test('has an ID of 128 random bits that is only in its sealed part', () => {
    const ids = Array.from({ length: 100 }, () => {
      const { url, stored } = createUrl(orderWithLink(9_000));
      const orderId = stored[0]?.orderId ?? '';
      expect(Buffer.from(orderId, 'base64url')).toHaveLength(16);
      expect(url).not.toContain(orderId);
      return orderId;
    });
    expect(new Set(ids).size).toBe(100);
  });

  test('is used exactly when the whole order would exceed the maximum length', () => {
    for (let length = 4_000; length < 8_000; length += 37) {
      const long = orderWithLink(length);
      const whole = `https://render.example/api/v1/render/execute?order=${sealer.seal('execution-url', long)}`;
      const { url, stored } = createUrl(long);
      expect(stored).toHaveLength(whole.length > maxUrlLength ? 1 : 0);
      expect(url.length).toBeLessThanOrEqual(maxUrlLength);
    }
  });

  test('is not created if no job could be started from the order', () => {
    expect(() => createUrl(orderWithLink(16_385))).toThrow(/too long to be rendered/);
  });

  test('is not created if the order exceeds 256 KiB', () => {
    const { inputs } = orderWithLink(16_000).description;
    const headers = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`x-${index}`, 'x'.repeat(8_000)]));
    const operation = { type: 'join_streams' as const };
    const [first] = inputs.map((input) => ({ ...input, requestOptions: { headers } }));
    const many = (count: number) => ({ ...order.description, operation, inputs: Array(count).fill(first) });
    expect(createUrl({ ...order, description: many(1) }).stored).toHaveLength(1);
    expect(() => createUrl({ ...order, description: many(2) })).toThrow(/too long to be rendered/);
  });

  test('is not returned if the order cannot be stored', () => {
    const fail = () => {
      throw new MillraceError('service_unavailable', 'No.');
    };
    expect(() => createExecutionUrl(sealer, '', orderWithLink(9_000), fail)).toThrow('No.');
  });
});

test.each([
  '',
  'order=a',
  '/api/v1/render/execute?order=a',
  'https://render.example/api/v1/render/execute',
  'https://render.example/api/v1/render/execute?order=a&order=b',
  'https://render.example/api/v1/render/executed?order=a',
  'https://render.example/api/v1/render/execute/a/b',
  'https://render.example/api/v1/render/status/sse/p5-1',
])('rejects %j', (text) => {
  expect(() => parseExecutionUrl(text)).toThrow(expect.objectContaining({ code: 'invalid_url' }));
});

test('accepts or rejects any text', () => {
  const origin = fc.constantFrom('https://render.example', 'http://127.0.0.1', 'ftp://render.example', '//', '');
  const near = fc
    .tuple(origin, fc.string(), fc.string())
    .map(([before, path, after]) => `${before}${path}/api/v1/render/execute${after}`);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
      try {
        expect(Object.keys(parseExecutionUrl(text))).toHaveLength(1);
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
        expect(error.code).toBe('invalid_url');
      }
    }),
    { seed: 8, numRuns: propertyRuns(200) },
  );
});
