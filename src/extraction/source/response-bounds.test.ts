import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { maxResponseBytes, requireReadable } from './response-bounds.ts';

const refusal = expect.objectContaining({ code: 'invalid_response_data', message: expect.stringMatching(/too many/) });

/** Returns members with different names. */
function namedMembers(count: number, after = ''): string {
  return Array.from({ length: count }, (_, at) => `"${at}"${after}:0,`).join('');
}

describe('a response', () => {
  test.each([
    ['a list like the largest one recorded', `[${'{"a":["b"]},'.repeat(22_000)}0]`],
    ['many members of few names', `[${'{"a":0,"b":"\\"c\\\\"},'.repeat(20_000)}0]`],
    ['the most names', `{${namedMembers(20_000)}"1":0}`],
    ['a page of quotations', `<html>${Array.from({ length: 30_000 }, (_, at) => `"${at}" is: ${at}`).join('')}`],
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

  test.each([
    ['in one object', `{${namedMembers(25_000)}"a":0}`],
    ['in objects', `[${namedMembers(25_000).replaceAll(/"\d+":0/g, '{$&}')}0]`],
    ['before spaces', `{${namedMembers(25_000, ' \n\t\r')}"a":0}`],
    ['with escaped quotation marks', `{${namedMembers(25_000).replaceAll('":', '\\"":')}"a":0}`],
    ['with escaped backslashes', `{${namedMembers(25_000).replaceAll('":', '\\\\":')}"a":0}`],
    ['with the same end', `{${namedMembers(25_000).replaceAll('":', '\\"a":')}"a":0}`],
    ['behind a stray quotation mark of a page', `<p title=">"</p><script>{${namedMembers(25_000)}"a":0}`],
  ])('with too many different names is refused: %s', (_what, text) => {
    expect(() => requireReadable(Buffer.from(text), 'a.example')).toThrow(refusal);
  });
});
