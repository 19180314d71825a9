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

test('notes with long messages are missing from the result', () => {
  const long = Array.from({ length: 20 }, (): OutputNote => ({ code: 'stream_left_out', message: 'x'.repeat(2_000) }));
  const limitedNotes = limitNotes(long);
  expect(limitedNotes).toHaveLength(9);
  expect(limitedNotes.at(-1)?.message).toBe('12 more notes are not listed.');
  expect(limitNotes(long.slice(0, 8))).toHaveLength(8);
});
