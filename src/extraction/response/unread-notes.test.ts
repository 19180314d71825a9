import { describe, expect, test } from 'vitest';
import { unreadNotes } from './unread-notes.ts';

describe('the notes about unread entries', () => {
  test('name each kind with its number', () => {
    expect(unreadNotes({ newRenderer: 2, oddRenderer: 1 })).toEqual([
      'Omitted 2 entries of an unknown kind (newRenderer).',
      'Omitted 1 entry of an unknown kind (oddRenderer).',
    ]);
    expect(unreadNotes()).toEqual([]);
  });

  test('are at most ten, and repeat no text of the site but plain names', () => {
    const kinds = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`kind${index}`, 1]));
    expect(unreadNotes({ '<script>': 1, 'a b': 1, ...kinds })).toHaveLength(10);
    expect(unreadNotes({ '<script>': 1, 'a b': 1, ...kinds })[0]).toBe('Omitted 2 entries of an unknown kind (other).');
  });
});
