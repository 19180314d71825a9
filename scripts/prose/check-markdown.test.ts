import { describe, expect, test } from 'vitest';
import { checkMarkdown } from './check-markdown.ts';

const messagesOf = async (text: string) => (await checkMarkdown(text)).map(({ message }) => message);

describe('checkMarkdown', () => {
  test.each([
    ['an old word', 'Start it anew.', '"anew": write again'],
    ['a clause in place of a noun', 'It stores what comes.', '"what comes": write the noun: the response, the input'],
    ['a repeated word', 'It is is stored.', 'Unexpected repeated `is`, remove one occurrence'],
    ['a wrong article', 'It is a error.', 'Unexpected article `a` before `error`, expected `an`'],
    [
      'a long sentence',
      `It ${'goes round and '.repeat(11)}then ends here.`,
      'The sentence has 37 words; 35 are allowed',
    ],
  ])('reports %s', async (_name, text, message) => {
    expect(await messagesOf(text)).toEqual([message]);
  });

  test.each([
    ['code', 'Set `mend` and `anew`.\n\n    likewise mend\n\n```\nanew\n```\n'],
    ['quotations', 'The log says "tried anew".'],
    [
      'two sentences of which the second begins with code',
      `${'It is short and '.repeat(8)}good. \`millrace\` is, too.`,
    ],
    ['names that are spelled out', 'An fsync, an http URL.'],
    ['possessives before a noun', 'The clock of its own file.'],
  ])('accepts %s', async (_name, text) => {
    expect(await messagesOf(text)).toEqual([]);
  });

  test('reports the line of the document', async () => {
    expect(await checkMarkdown('# Title\n\nGood.\n\n- Also good.\n- Repeat it anew.\n')).toMatchObject([{ line: 6 }]);
  });

  test('checks each cell of a table', async () => {
    const table = '# Title\n\n| A the | the B |\n|---|---|\n| good | fine |\n| good | mend it |\n';
    expect(await checkMarkdown(table)).toEqual([{ line: 6, message: '"mend": write fix, repair, correct' }]);
  });
});
