import { describe, expect, test } from 'vitest';
import { markdownOfSource } from './markdown-of-source.ts';

const source = `/**
 * Returns the sum of {@link Numbers}.
 *
 * @throws RangeError if it is too large.
 */
export function sum() {
  // The first line
  // continues here.
  throw new Error('The sum is too large.');
}
const query = sql\`SELECT one FROM two\`;
const classes = 'a b';
const usage = \`Adds \${count} numbers.

  millrace sum 1 2\`;
`;

const paragraphsOf = (text: string, strings: 'all' | 'titles' | 'none', file = 'sum.ts') =>
  markdownOfSource(text, file, strings)
    .markdown.split('\n\n')
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');

describe('markdownOfSource', () => {
  test('reads docblocks and comments as paragraphs', () => {
    expect(paragraphsOf(source, 'none')).toEqual([
      'Returns the sum of `Numbers`.',
      'RangeError if it is too large.',
      'The first line\ncontinues here.',
    ]);
  });

  test('reads strings that are prose, without placeholders and examples', () => {
    expect(paragraphsOf(source, 'all').slice(3)).toEqual(['The sum is too large.', 'Adds `x` numbers.']);
  });

  test('reads the titles of tests', () => {
    const tests = `describe('sum', () => {\n  test.each([1])('adds %s numbers', () => fail('not a title here'));\n});`;
    expect(paragraphsOf(tests, 'titles', 'sum.test.ts')).toEqual(['sum', 'adds %s numbers']);
  });

  test('maps each line to the line of the source', () => {
    const { markdown, lines } = markdownOfSource(source, 'sum.ts', 'all');
    const at = (text: string) => lines[markdown.split('\n').findIndex((line) => line.includes(text))];
    expect(['Returns', 'RangeError', 'continues', 'sum is too', 'Adds'].map(at)).toEqual([2, 4, 8, 9, 13]);
  });

  test('leaves out comments for programs', () => {
    expect(paragraphsOf('// biome-ignore lint/rule: the reason\nrun();', 'none')).toEqual([]);
  });
});
