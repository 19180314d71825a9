import { expect, test } from 'vitest';
import { defaultMaxConnections, descriptorLimit, maxConnectionsFor } from './descriptor-limit.ts';

const limits = (soft: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             96430                96430                processes
Max open files            ${soft}                1048576              files
`;

test.each([
  ['1024', 1_024],
  ['1048576', 1_048_576],
  ['unlimited', Number.POSITIVE_INFINITY],
])('descriptorLimit reads the limit %s', (soft, limit) => {
  expect(descriptorLimit(() => limits(soft))).toBe(limit);
});

test('descriptorLimit assumes a limit if it cannot read one', () => {
  const missing = () => {
    throw new Error('ENOENT');
  };
  expect([descriptorLimit(missing), descriptorLimit(() => '')]).toEqual([4_096, 4_096]);
});

test('the connection limit leaves descriptors for files, sources and the database', () => {
  expect([64, 1_024, 16_384, 20_000].map(maxConnectionsFor)).toEqual([16, 576, 12_096, 14_808]);
  expect(defaultMaxConnections()).toBeGreaterThanOrEqual(16);
  expect(defaultMaxConnections()).toBeLessThanOrEqual(20_000);
});
