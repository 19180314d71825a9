import { describe, expect, it } from 'vitest';
import { requestedAdditions } from './requested-additions.ts';

const metadata = { title: 'A\u0000 title', albumArtist: 'Various', track: '03/12', genre: ' ' };
const chapters = [
  { start: 60, title: 'Third' },
  { start: 0, title: 'First' },
  { start: 10, title: 'Second' },
];

describe('the additions of a task', () => {
  it('are its tags by FFmpeg’s names, and its chapters in order', () => {
    expect(requestedAdditions({ output: { ext: 'mp4', metadata, chapters } })).toEqual({
      tags: { title: 'A title', album_artist: 'Various', track: '3/12' },
      chapters: [chapters[1], chapters[2], chapters[0]],
      notes: [],
    });
    expect(requestedAdditions({ output: { ext: 'mp4' } })).toEqual({ tags: {}, notes: [] });
  });

  it('are shifted by the start of a clip', () => {
    const { chapters: shifted } = requestedAdditions({ output: { ext: 'mp4', chapters }, clip: { start: 15 } });
    expect(shifted).toEqual([
      { start: 0, title: 'Second' },
      { start: 45, title: 'Third' },
    ]);
  });

  it('are left out with notes if the container cannot store them', () => {
    const { tags, chapters: kept, notes } = requestedAdditions({ output: { ext: 'ts', metadata, chapters } });
    expect([tags, kept]).toEqual([{}, []]);
    expect(notes.map(({ code }) => code)).toEqual([
      ...['metadata_left_out', 'metadata_left_out', 'metadata_left_out', 'chapters_left_out'],
    ]);
    expect(requestedAdditions({ output: { ext: 'wav', chapters } }).notes).toHaveLength(1);
  });
});
