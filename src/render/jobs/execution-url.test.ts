import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createExecutionUrl, openOrder, parseExecutionUrl } from './execution-url.ts';

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

test.each(['https://render.example', 'http://127.0.0.1:8080', 'https://example.com/below/a/path'])(
  'reads the content of an execution URL below %s',
  (address) => {
    const link = parseExecutionUrl(createExecutionUrl(sealer, address, order));
    expect('order' in link && openOrder(sealer, link.order)).toEqual(order);
    const id = 'AAAA_BBBB-CCCC00001111';
    expect(parseExecutionUrl(`${address}/api/v1/render/execute/${id}`)).toEqual({ cacheId: id });
  },
);

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
