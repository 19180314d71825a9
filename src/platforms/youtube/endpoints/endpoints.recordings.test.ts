import { describe, expect, it } from 'vitest';
import { dig, fields } from '../../../parsing/values.ts';
import { fakeSite } from '../../testing/fake-site.ts';
import { createInnertube } from '../requests/innertube.ts';
import { defaultSite } from '../site.ts';
import { builtInProfile } from '../testing/built-in-profile.ts';
import { extractRecorded, findRecording } from '../testing/extract-recorded.ts';
import { recordings, recordingsOf } from '../testing/recordings.ts';

describe.skipIf(recordings().length === 0)('recorded responses', () => {
  it('yield suggestions', async () => {
    for (const recording of recordingsOf('suggest')) {
      const { metadata, requests } = await extractRecorded(
        '/search/suggestions',
        { query: 'hello', previousQuery: 'hi' },
        recording,
      );
      const suggestions = metadata.additionalData?.searchSuggestions as string[];
      expect(suggestions.length, recording.name).toBeGreaterThan(5);
      expect(
        suggestions.every((word) => word.startsWith('h') && !word.includes('<')),
        recording.name,
      ).toBe(true);
      expect(requests[0]?.url.searchParams.get('pq')).toBe('hi');
    }
  });

  it('yield the ID of a handle, or report that there is none', async () => {
    for (const recording of recordingsOf('resolve_url')) {
      const handle = String(fields(recording.request.body).url).replace('https://www.youtube.com/', '');
      const extraction = extractRecorded('/channel/id-from-handle', { handle }, recording);
      if (recording.status === 404) await expect(extraction).rejects.toMatchObject({ code: 'not_found' });
      else expect((await extraction).metadata.channel?.channelId, recording.name).toMatch(/^UC[\w-]{22}$/);
    }
    const { metadata } = await extractRecorded(
      '/channel/id-from-handle',
      { handle: 'Gronkh' },
      findRecording('resolve_url', 'gronkh_2'),
    );
    expect(metadata.channel).toEqual({ channelId: 'UCYJ61XIK64sp6ZFFS8sctxw', handle: '@Gronkh' });
  });

  it('yield a playlist, its first page and the next', async () => {
    const parameters = { playlistId: 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj' };
    const first = await extractRecorded('/playlist', parameters, findRecording('playlist', 'a8c176a0_playlist_t'));
    expect(first.requests[0]?.body).toMatchObject({ browseId: `VL${parameters.playlistId}`, params: 'wgYCCAA=' });
    expect(first.metadata).toMatchObject({
      title: 'Pop Music Playlist - Timeless Pop Songs (Updated Weekly 2025)',
      playlist: {
        info: { videoCount: 200, viewCount: 1_044_562_519, updatedText: 'Updated 5 days ago' },
        nextToken: expect.stringMatching(/^4qmFsg/),
      },
    });
    expect(first.metadata.playlist?.videos).toHaveLength(100);
    const last = await extractRecorded(
      '/playlist',
      parameters,
      findRecording('playlist', 'pr0702__playlist_timelesspophits_3'),
      'c',
    );
    expect(last.requests[0]?.body).toMatchObject({ continuation: 'c' });
    expect(last.metadata.playlist).toMatchObject({ nextToken: null });
    expect(last.metadata.playlist?.videos).toHaveLength(100);
    expect(last.metadata.playlist).not.toHaveProperty('info');
  });

  it('yield an ID for a new visitor', async () => {
    const visitorRecordings = recordingsOf('misc').filter(({ endpoint }) => endpoint === '/visitor_id');
    expect(visitorRecordings).toHaveLength(3);
    for (const { body } of visitorRecordings) {
      const { context, requests } = fakeSite(() => ({ body }));
      await createInnertube(defaultSite)({}, context).request('player', {}, { client: builtInProfile('VISIONOS') });
      expect(requests[1]?.headers['x-goog-visitor-id']).toBe(dig(body, 'responseContext', 'visitorData'));
    }
  });

  it('yield the refusal of a playlist', async () => {
    for (const part of ['notavailable_1', 'notavailable_2', 'head__channeltab_agerestrictedtabsshorts_3']) {
      const extraction = extractRecorded('/playlist', { playlistId: 'PL1' }, findRecording('playlist', part));
      await expect(extraction, part).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
