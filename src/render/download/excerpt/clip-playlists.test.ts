import { describe, expect, test } from 'vitest';
import { parsePlaylist } from '../../../hls/testing/parse-playlist.ts';
import type { SelectedPlaylist } from '../select-playlists.ts';
import { clipPlaylists } from './clip-playlists.ts';

/** Returns a playlist of segments with these durations. */
function playlistOf(...durations: readonly number[]): SelectedPlaylist {
  const lines = durations.flatMap((duration, at) => [`#EXTINF:${duration},`, `${at}.ts`]);
  const text = ['#EXTM3U', '#EXT-X-TARGETDURATION:10', ...lines, '#EXT-X-ENDLIST'].join('\n');
  const media = parsePlaylist(text, 'https://cdn.example/media.m3u8');
  if (media.kind !== 'media') throw new Error('it is a media playlist');
  return { media };
}

async function sequencesOf(
  playlists: readonly SelectedPlaylist[],
  start: number,
  end?: number,
  delays: readonly number[] = [],
) {
  const clip = { start, ...(end === undefined ? {} : { end }) };
  const clippedPlaylists = await clipPlaylists(playlists, clip, 'Input 1', { delays });
  return clippedPlaylists.map((clipped) => ({
    start: clipped.start,
    sequences: clipped.segments.map(({ sequence }) => sequence),
  }));
}

describe('the segments of a clip', () => {
  test.each([
    [7, 11, 6, [1]],
    [7, 13, 6, [1, 2]],
    [0, 1, 0, [0]],
    [13, undefined, 12, [2, 3]],
    // The durations in a playlist are rounded, so the key frame may be a little later.
    [6.2, 8, 0, [0, 1]],
    [7, 11.8, 6, [1, 2]],
    [23, 100, 18, [3]],
  ])('from %d to %s are those that overlap it', async (start, end, begin, sequences) => {
    expect(await sequencesOf([playlistOf(6, 6, 6, 6)], start, end)).toEqual([{ start: begin, sequences }]);
  });

  test('of separate audio begin no later than those of the video', async () => {
    const playlists = [playlistOf(6, 6, 6, 6), playlistOf(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)];
    expect(await sequencesOf(playlists, 11, 12.2)).toEqual([
      { start: 6, sequences: [1, 2] },
      { start: 4, sequences: [2, 3, 4, 5, 6] },
    ]);
  });

  test('of playlists that begin later than others are those at the time of the clip', async () => {
    const playlists = [playlistOf(6, 6, 6, 6), playlistOf(2, 2, 2, 2, 2)];
    expect(await sequencesOf(playlists, 19, 23, [0, 12.5])).toEqual([
      { start: 18, sequences: [3] },
      { start: 16.5, sequences: [2, 3, 4] },
    ]);
    expect(await sequencesOf(playlists, 25, 26, [6, 0])).toMatchObject([{ start: 24, sequences: [3] }, {}]);
  });

  test('do not exist after the end of the playlist', async () => {
    await expect(sequencesOf([playlistOf(6, 6)], 12)).rejects.toThrow(
      expect.objectContaining({
        code: 'clip_out_of_range',
        message: 'The clip starts at 12 s, but input 1 lasts 12 s. Choose a clip within it.',
      }),
    );
  });
});
