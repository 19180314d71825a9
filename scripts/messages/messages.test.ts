/** @module-tag long */

import { describe, expect, test } from 'vitest';
import { checkMarkdown } from '../prose/check-markdown.ts';
import { allMessages } from './messages-page.ts';

const messages = allMessages();

/** Programs compare this message, so it must not change and has no final period. */
const fixedMessages = ['Cancelled by its owner'];

/** Returns a message without the words that it repeats from a site or from another error. */
function ownWords(text: string): string {
  return text
    .replace(/ (?:\w+ says|The (?:latest|last) failure): .*$/, '')
    .replace(/\{(?:message|failure|error|fault|reason)\}$/, '.');
}

function sentencesOf(text: string): readonly string[] {
  return ownWords(text)
    .split(/(?<=[.?!])\s+(?=[A-Z\d{"])/)
    .filter((sentence) => sentence.trim() !== '');
}

test('the source has messages of every kind', () => {
  const kinds = new Set(messages.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(['body', 'catalogue', 'client', 'command', 'envelope', 'start']);
  expect(messages.length).toBeGreaterThan(500);
});

describe('the message', () => {
  test.each(messages.filter(({ text }) => !fixedMessages.includes(text)))(
    '"$text" is complete and short',
    async ({ kind, text }) => {
      const sentences = sentencesOf(text);
      expect(sentences.length).toBeLessThanOrEqual(2);
      for (const sentence of sentences) expect(sentence.split(/\s+/).length).toBeLessThanOrEqual(30);
      // Faults of a body complete a sentence that begins with the member's path.
      if (kind !== 'body') expect(text).toMatch(/[.?!)}"]$/);
      expect(await checkMarkdown(text)).toEqual([]);
    },
  );
});
