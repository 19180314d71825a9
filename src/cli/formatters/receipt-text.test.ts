import { expect, test } from 'vitest';
import { exampleStatement } from '../../receipts/testing/example-statement.ts';
import { receiptText } from './receipt-text.ts';

const statement = exampleStatement({ bytes: 3, sha256: 'b'.repeat(64) });
const [input] = statement.inputs;

/** Returns the text about a receipt whose input used links in this way. */
function textOf(links?: { profiles: string[]; replacedLinks: number }): string {
  if (input === undefined) throw new Error('the example has an input');
  return receiptText('key', { ...statement, inputs: [links === undefined ? input : { ...input, links }] });
}

test.each([
  [{ profiles: ['A'], replacedLinks: 0 }, 'through client A'],
  [{ profiles: ['A', 'B'], replacedLinks: 1 }, 'through client A, then B, link replaced once'],
  [{ profiles: [], replacedLinks: 2 }, 'link replaced 2 times'],
])('names the clients that returned an input, instead of the one that the job started with: %o', (links, text) => {
  expect(textOf(links)).toMatch(new RegExp(`^Input 1 +${text}$`, 'm'));
  expect(textOf(links)).not.toContain('client visionos');
});

test('names the client that the job started with if the receipt does not state more', () => {
  expect(textOf()).toContain('client visionos');
  expect(textOf({ profiles: [], replacedLinks: 0 }).match(/^Input 1/gm)).toHaveLength(1);
});
