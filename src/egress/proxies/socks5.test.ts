import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { type ParsedResponse, readAuthStatus, readMethod, readReply } from './socks5.ts';

const parsers: readonly ((bytes: Buffer) => ParsedResponse<number> | undefined)[] = [
  readMethod,
  readAuthStatus,
  readReply,
];

test.each([
  ['an IPv4 address', [5, 0, 0, 1, 1, 2, 3, 4, 0, 80]],
  ['an IPv6 address', [5, 0, 0, 4, ...Array(16).fill(1), 0, 80]],
  ['a name', [5, 0, 0, 3, 3, 97, 98, 99, 0, 80]],
  ['an empty name', [5, 0, 0, 3, 0, 0, 80]],
])('a reply with %s is complete at its last byte, and later bytes stay unread', (_name, bytes) => {
  for (let length = 0; length < bytes.length; length += 1) {
    expect(readReply(Buffer.from(bytes.slice(0, length)))).toBeUndefined();
  }
  expect(readReply(Buffer.from([...bytes, 1, 2, 3]))).toEqual({ value: 0, length: bytes.length });
});

test('a refusal is accepted without further fields', () => {
  expect(readReply(Buffer.from([5, 2]))?.value).toBe(2);
});

test('arbitrary proxy data is read, needs more bytes, or is rejected, within 262 bytes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...parsers), fc.uint8Array({ maxLength: 300 }), (parse, input) => {
      const bytes = Buffer.from(input);
      try {
        const result = parse(bytes);
        if (result === undefined) expect(bytes.length).toBeLessThan(262);
        else expect(result.length).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(String(error)).toBe('Error: the proxy does not speak SOCKS version 5');
      }
    }),
    { seed: 1, numRuns: propertyRuns(1000) },
  );
});
