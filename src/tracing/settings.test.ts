import { expect, test } from 'vitest';
import { tracingSettings } from './settings.ts';

const { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: ratio } = tracingSettings;

test('headers have percent-encoded values, which may contain =', () => {
  expect(headers.read('authorization=Bearer%20abc==, x-team = a%2Cb,')).toEqual({
    authorization: 'Bearer abc==',
    'x-team': 'a,b',
  });
});

test.each(['authorization', '=value', 'a b=c', 'x=%zz'])('the headers %s are refused', (text) => {
  expect(() => headers.read(text)).toThrow('must');
});

test('a sampled fraction is from 0 to 1', () => {
  expect(ratio.read('0.25')).toBe(0.25);
  for (const text of ['2', '-1', 'half']) expect(() => ratio.read(text)).toThrow('from 0 to 1');
});
