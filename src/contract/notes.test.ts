import { expect, test } from 'vitest';
import { boundedNotes, noteBounds, type OutputNote } from './notes.ts';

const notes = (count: number) => {
  return Array.from({ length: count }, (_, at): OutputNote => ({ code: 'stream_left_out', message: `Stream ${at}.` }));
};

test('a result lists as many notes as it may', () => {
  expect(boundedNotes(notes(noteBounds.count))).toEqual(notes(noteBounds.count));
});

test('of more notes, the last says how many are missing', () => {
  const listed = boundedNotes(notes(noteBounds.count + 10));
  expect(listed).toHaveLength(noteBounds.count);
  expect(listed.at(-1)).toEqual({ code: 'notes_left_out', message: '11 more notes are not listed.' });
});
