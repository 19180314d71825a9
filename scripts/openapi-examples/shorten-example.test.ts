import { expect, test } from 'vitest';
import { shortenExample } from './shorten-example.ts';

test('an example has the first entry of each list, and all members', () => {
  const response = { error: null, contents: [{ videos: [{ width: 1 }, { width: 2 }] }, {}], notes: [], isLive: false };
  expect(shortenExample(response)).toEqual({
    error: null,
    contents: [{ videos: [{ width: 1 }] }],
    notes: [],
    isLive: false,
  });
});

test('an example contains no random values', () => {
  const render = 'https://render.example/api/v1/render';
  const jobId = 'p12-ec11eb2e-9022-491e-b304-307b67de7e30';
  expect(shortenExample([`${render}/execute?order=${'aZ_-'.repeat(50)}`])).toEqual([
    `${render}/execute?order=sealed-data`,
  ]);
  expect(shortenExample(`${render}/status/sse/${jobId}`)).toBe(
    `${render}/status/sse/p12-6b1f0c3e-9a57-4d28-8e41-c70d5f92ab16`,
  );
});

test('long texts end early', () => {
  expect(shortenExample('a b'.repeat(40))).toBe(`${'a b'.repeat(40).slice(0, 97)}...`);
  expect(shortenExample('a b'.repeat(33))).toBe('a b'.repeat(33));
});
