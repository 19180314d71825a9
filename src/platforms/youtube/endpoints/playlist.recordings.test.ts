import { describe, expect, it } from 'vitest';
import { dig, fields } from '../../../parsing/values.ts';
import type { ListItem } from '../parse/items/list-item.ts';
import { readPlaylistInfo } from '../parse/playlist-info.ts';
import { readNotices } from '../parse/refusal.ts';
import { extractRecorded, findRecording } from '../testing/extract-recorded.ts';
import { type Recording, recordings, recordingsOf } from '../testing/recordings.ts';
import { queryOracle } from '../testing/youtubei-oracle.ts';

interface Playlist {
  readonly info?: Readonly<Record<string, unknown>>;
  readonly videos: readonly ListItem[];
  readonly messages?: readonly string[];
  readonly nextToken: string | null;
}

const playlistOf = (metadata: { playlist?: unknown }) => metadata.playlist as Playlist;

describe.skipIf(recordings().length === 0)('recorded playlists', () => {
  // Some responses were requested without their videos, so the endpoint does not accept them.
  const isHeaderOnly = ({ body }: Recording) =>
    dig(body, 'header') !== undefined && dig(body, 'contents') === undefined && !isPage(body);
  const isPage = (body: unknown) => dig(body, 'onResponseReceivedActions') !== undefined;
  const headers = recordingsOf('playlist').filter(isHeaderOnly);
  const playlists = recordingsOf('playlist').filter((one) => !isHeaderOnly(one));

  it.each(headers.map((recording) => [recording.name, recording] as const))(
    'have a header and are refused without a list: %s',
    async (_name, recording) => {
      const id = String(fields(recording.request.body).browseId).replace(/^VL/, '');
      const info = readPlaylistInfo(fields(recording.body), id);
      expect(info).toMatchObject({ id, title: expect.stringMatching(/./), videoCount: expect.any(Number) });
      expect(dig(info, 'author', 'id')).toMatch(/^UC/);
      expect(dig(info, 'author', 'name')).not.toMatch(/^by /);
      const extraction = extractRecorded('/playlist', { playlistId: id }, recording);
      await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data' });
    },
  );

  it.each(playlists.map((recording) => [recording.name, recording] as const))(
    'are read from %s',
    async (_name, recording) => {
      const { browseId, continuation } = fields(recording.request.body);
      const cursor = typeof continuation === 'string' ? continuation : undefined;
      const playlistId = String(browseId ?? 'VLPL1').replace(/^VL/, '');
      const extraction = extractRecorded('/playlist', { playlistId }, recording, cursor);
      if (recording.status === 404 || /"type":"ERROR"/.test(JSON.stringify(fields(recording.body).alerts ?? ''))) {
        await expect(extraction).rejects.toMatchObject({ code: 'not_found' });
        return;
      }
      const { metadata, requests, notes, unread } = await extraction;
      const { info, videos, nextToken } = playlistOf(metadata);
      const oracle = queryOracle(recording.body);
      expect(videos.map(({ id }) => id).toSorted()).toEqual(oracle.ids.toSorted());
      expect(nextToken !== null).toBe(oracle.continues);
      expect([notes, unread]).toEqual([[], {}]);
      const requestBody = fields(requests[0]?.body);
      if (cursor !== undefined) {
        expect([requestBody.continuation, info]).toEqual([cursor, undefined]);
        return;
      }
      expect(requestBody.browseId).toBe(browseId);
      expect(info).toMatchObject({ id: playlistId, title: expect.stringMatching(/./), videoCount: expect.any(Number) });
      expect(metadata.title).toBe(info?.title);
      expect(dig(info, 'author', 'id')).toMatch(/^UC/);
      expect(dig(info, 'author', 'name')).not.toMatch(/^by /);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    [
      'pr0702__playlist_hugeplaylist_1',
      { videoCount: 5_000, viewCount: 32_616_548, author: { name: 'Tomas Nilsson TOMPA571' } },
    ],
    ['pr0702__playlist_membersonlys_1', { title: 'Members-only videos', videoCount: 287, viewCount: 1_132 }],
    ['h20250716__2025-07-16_a8c176a0_playlist_learningplaylist_2', { author: { name: 'CrashCourse' }, videoCount: 49 }],
    ['h20250716__2025-07-16_a8c176a0_playlist_shortsui_2', { id: 'UUSHBR8-60-B28hp2BmDPdntcQ' }],
    ['h20250718__2025-07-18_7adbc48a_channeltab_agerestrictedtabsvideos_3', { id: 'UULFbfnHqxXs_K3kvaH-WlNlig' }],
  ])('have the expected properties: %s', async (name, expected) => {
    const recording = findRecording('playlist', name);
    const playlistId = String(fields(recording.request.body).browseId).replace(/^VL/, '');
    expect(readPlaylistInfo(fields(recording.body), playlistId)).toMatchObject(expected);
  });

  it("include the site's notices and mark members-only videos", async () => {
    const huge = findRecording('playlist', 'pr0702__playlist_hugeplaylist_1');
    expect(readNotices(fields(huge.body))).toEqual(['Unavailable videos will be hidden during playback']);
    const members = await extractRecorded(
      '/playlist',
      { playlistId: 'UU1' },
      findRecording('playlist', 'membersonlys_2'),
      'C',
    );
    const { videos } = playlistOf(members.metadata);
    expect(videos.length).toBe(100);
    expect(videos.every((video) => 'membersOnly' in video && video.membersOnly)).toBe(true);
  });
});

describe.skipIf(recordings().length === 0)('recorded mixes', () => {
  it.each([
    ['mymix', 'RDMMYVkUvmDQ3HY', 'YVkUvmDQ3HY', 'My Mix', '8kYkciD9VjU'],
    [
      'music',
      'RDAMVMdQw4w9WgXcQ',
      'dQw4w9WgXcQ',
      'Mix – Rick Astley - Never Gonna Give You Up (Official Video) (4K Remaster)',
      'Gs069dndIYk',
    ],
  ])('yield %s', async (name, playlistId, seed, title, last) => {
    const recording = findRecording('mix', name);
    const { metadata, requests, unread } = await extractRecorded('/playlist', { playlistId }, recording);
    expect(fields(requests[0]?.body)).toMatchObject({ playlistId, videoId: seed });
    expect(requests[0]?.url.pathname).toBe('/youtubei/v1/next');
    const { info, videos, nextToken } = playlistOf(metadata);
    expect(info).toMatchObject({ id: playlistId, title, endless: true });
    expect(videos).toHaveLength(25);
    expect(videos.every((video) => 'duration' in video && 'channel' in video && video.type === 'video')).toBe(true);
    expect([videos[0]?.id, videos.at(-1)?.id]).toEqual([seed, last]);
    expect(JSON.parse(nextToken ?? '')).toMatchObject({
      place: { videoId: last, playlistIndex: 24, params: 'OAE%3D' },
    });
    expect(unread).toEqual({});
    // A panel that repeats the previous page contains nothing new.
    const again = await extractRecorded('/playlist', { playlistId }, recording, nextToken ?? '');
    expect(fields(again.requests[0]?.body)).toMatchObject({
      playlistId,
      videoId: last,
      playlistIndex: 24,
      params: 'OAE%3D',
    });
    expect(playlistOf(again.metadata)).toEqual({ videos: [], nextToken: null });
  });

  it('are refused for a video without a mix', async () => {
    const invalid = extractRecorded('/playlist', { playlistId: 'RDabcde' }, findRecording('mix', 'invalidvideoid'));
    await expect(invalid).rejects.toMatchObject({ code: 'not_found' });
    const old = extractRecorded('/playlist', { playlistId: 'RDabcde' }, findRecording('mix', 'mix_invalid_1'));
    await expect(old).rejects.toMatchObject({ code: 'non_2xx_response' });
  });
});
