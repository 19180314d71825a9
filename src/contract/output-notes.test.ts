import { expect, test } from 'vitest';
import { limitNotes, noteLimits, type OutputNote } from './output-notes.ts';

const notes = (count: number) => {
  return Array.from({ length: count }, (_, at): OutputNote => ({ code: 'stream_left_out', message: `Stream ${at}.` }));
};

test('a result lists up to the maximum number of notes', () => {
  expect(limitNotes(notes(noteLimits.count))).toEqual(notes(noteLimits.count));
});

test('the last note states how many notes are missing if there are too many', () => {
  const limitedNotes = limitNotes(notes(noteLimits.count + 10));
  expect(limitedNotes).toHaveLength(noteLimits.count);
  expect(limitedNotes.at(-1)).toEqual({ code: 'notes_left_out', message: '11 more notes are not listed.' });
});
