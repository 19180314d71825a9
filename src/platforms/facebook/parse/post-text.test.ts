import { expect, it } from 'vitest';
import { readMessage } from './post-text.ts';

it.each([
  ['#हिन्दी और #ไทย #বাংলা', ['हिन्दी', 'ไทย', 'বাংলা']],
  ['#one,#two &#39; https://a.example/#three', ['one', 'two']],
])('reads whole words as the hashtags of %j', (text, hashtags) => {
  expect(readMessage([{ message: { text } }])?.hashtags).toEqual(hashtags);
});

it('reads the links of a text without the punctuation around them', () => {
  const text = '「https://a.example/b」 and (https://c.example/d).';
  expect(readMessage([{ message: { text } }])?.links).toEqual(['https://a.example/b', 'https://c.example/d']);
});
