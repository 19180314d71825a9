import { expect, test } from 'vitest';
import { readMarkdown } from './markdown.ts';

const page = `# A page: its \`code\` & [more](there.md)

Words with [a link](one.md), [one](two.md#part "Title") and ![a picture](images/three.png).
Not \`[this](never.md)\`, and <img src="four.svg">.

    curl '[nor](this.md)' \\
      --silent

    echo done

- a list
  with [five](a_(b).md)

## Part

    npm test

\`\`\`ts
# no heading
[no](link.md)
\`\`\`

## Part
`;

test('finds links in text, but not in code', () => {
  expect(readMarkdown(page).links).toEqual([
    'there.md',
    'one.md',
    'two.md#part',
    'images/three.png',
    'four.svg',
    'a_(b).md',
  ]);
});

test('generates the same anchors for headings as GitHub', () => {
  expect(readMarkdown(page).anchors).toEqual(['a-page-its-code--more', 'part', 'part-1']);
});

test('returns indented code in blocks, with the heading above', () => {
  expect(readMarkdown(page).commands).toEqual([
    {
      heading: 'A page: its `code` & [more](there.md)',
      text: "curl '[nor](this.md)' \\\n  --silent\n\necho done",
    },
    { heading: 'Part', text: 'npm test' },
  ]);
});
