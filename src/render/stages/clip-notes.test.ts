import { expect, test } from 'vitest';
import { clipNotes } from './clip-notes.ts';

test('notes of clips name the inputs that were downloaded whole', () => {
  const whole = { files: [], wholeReason: 'it has the box "\u0007\u0007"' };
  expect(clipNotes([{ files: [] }, whole])).toEqual([
    {
      code: 'clip_without_index',
      message: expect.stringMatching(/^The whole of input 2 was downloaded for the clip: it has the box "[^a-z]*"\.$/),
      input: 1,
    },
  ]);
});
