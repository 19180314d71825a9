import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { parseBatch, parseBatchItem } from './batch.ts';
import { MillraceError } from './errors.ts';

test('a batch is a list of one to fifty items of any kind', () => {
  const items = [{ id: 'one' }, { executionUrl: 'https://r.example/x' }, 7, null, []];
  expect(parseBatch({ jobs: items })).toEqual(items);
  expect(parseBatch({ jobs: Array(50).fill({}) })).toHaveLength(50);
});

test.each([
  ['a missing body', undefined, ''],
  ['a bare list', [], ''],
  ['an object without jobs', {}, 'jobs'],
  ['an empty list', { jobs: [] }, 'jobs'],
  ['too long a list', { jobs: Array(51).fill({}) }, 'jobs'],
  ['jobs that are not a list', { jobs: { 0: {} } }, 'jobs'],
  ['an unknown member', { jobs: [{}], key: 'k' }, 'key'],
])('parseBatch rejects %s and names the wrong member', (_, body, path) => {
  expect(() => parseBatch(body)).toThrow(
    expect.objectContaining({ code: 'invalid_body', fields: [expect.objectContaining({ path })] }),
  );
});

test('an item that is neither a link nor an ID counts as a description', () => {
  const link = { executionUrl: 'https://r.example/x' };
  const storedItem = { cacheId: 'A'.repeat(22) };
  expect([link, storedItem].map(parseBatchItem)).toEqual([link, storedItem]);
  for (const item of [
    { ...link, ...storedItem },
    { executionUrl: 7 },
    { id: 'a', executionUrl: 'x' },
    'x',
    null,
    [link],
  ]) {
    expect(parseBatchItem(item)).toEqual({ description: item });
  }
});

test('any body is a batch or an error that names the wrong members', () => {
  const hostile = fc.oneof(
    fc.jsonValue(),
    fc.record({ jobs: fc.jsonValue() }),
    fc.dictionary(fc.string(), fc.anything()),
  );
  fc.assert(
    fc.property(hostile, (body) => {
      try {
        const items = parseBatch(body);
        expect(items.length).toBeGreaterThan(0);
        for (const item of items) expect(Object.keys(parseBatchItem(item))).toHaveLength(1);
      } catch (error) {
        if (!(error instanceof MillraceError)) throw error;
        expect(error.code).toBe('invalid_body');
        expect(error.fields?.length).toBeGreaterThan(0);
      }
    }),
    { seed: 8, numRuns: propertyRuns(500) },
  );
});

test('parseBatch rejects half a million items without checking any of them', () => {
  const jobs = Array(500_000).fill(0);
  const before = process.cpuUsage();
  expect(() => parseBatch({ jobs })).toThrow('must not have more than 10000 values');
  // Checking every item took 800 ms.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(200);
});
