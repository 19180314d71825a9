import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { maxResponseBytes, requireReadable } from './response-bounds.ts';

const refusal = expect.objectContaining({ code: 'invalid_response_data', message: expect.stringMatching(/too many/) });

describe('a response', () => {
  test.each([
    ['a list like the largest one recorded', `[${'{"a":["b"]},'.repeat(22_000)}0]`],
    ['a long text', `"${'a'.repeat(3_000_000)}"`],
    ['nothing', ''],
  ])('with %s is accepted', (_what, text) => {
    expect(() => requireReadable(Buffer.from(text), 'a.example')).not.toThrow();
  });

  test.each([
    ['objects', '{},'],
    ['members', '"a":0,'],
    ['lists', '['],
    ['strings', '"a",'],
  ])('of %s only is refused, and costs little', (_what, part) => {
    const body = Buffer.from(part.repeat(Math.floor(maxResponseBytes / part.length)));
    const elapsed = startCpuClock();
    expect(() => requireReadable(body, 'a.example')).toThrow(refusal);
    expect(elapsed()).toBeLessThan(500);
  });
});
