import { expect, test } from 'vitest';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([true, false])('a position with isSampled %s survives formatting and parsing', (isSampled) => {
  const position = { traceId, spanId, isSampled };
  expect(parseTraceparent(formatTraceparent(position))).toEqual(position);
});

test('a later version may have further members', () => {
  expect(parseTraceparent(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, isSampled: true });
});

test.each([
  undefined,
  '',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  `01-${traceId}-${spanId}-01-${'x'.repeat(10_000)}`,
])('%s is not valid', (text) => expect(parseTraceparent(text)).toBeUndefined());
