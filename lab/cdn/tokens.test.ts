import { expect, test } from 'vitest';
import { createTokens } from './tokens.ts';

test('a token counts its requests, has an age, and runs an action once', () => {
  let now = 1000;
  const tokens = createTokens(() => now);
  expect(tokens.touch('a').requests).toBe(1);
  now = 1250;
  const again = tokens.touch('a');
  expect(again).toMatchObject({ requests: 2, age: 250 });
  expect([again.first('cut'), again.first('cut'), tokens.touch('a').first('cut')]).toEqual([true, false, false]);
  expect(tokens.touch('b')).toMatchObject({ requests: 1, age: 0 });
});

test('the least recently used token is removed first', () => {
  const tokens = createTokens(() => 0, 2);
  tokens.touch('a');
  tokens.touch('b');
  tokens.touch('a');
  tokens.touch('c');
  expect(tokens.touch('a').requests).toBe(3);
  expect(tokens.touch('b').requests).toBe(1);
});
