import { describe, expect, it } from 'vitest';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite } from '../../testing/fake-site.ts';
import { fields } from '../../values.ts';
import { createYoutube } from '../index.ts';
import { type Recording, recordings, recordingsOf } from '../testing/recordings.ts';

/** What an endpoint makes of a recorded answer. */
async function extract(path: string, parameters: EndpointParameters, { status, body }: Recording, cursor?: string) {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  const site = fakeSite(() => ({ status, body }), cursor === undefined ? {} : { cursor });
  return { ...(await endpoint.extract(parameters, site.context)), seen: site.seen };
}

function named(group: string, part: string): Recording {
  const found = recordingsOf(group).find(({ name }) => name.includes(part));
  if (found === undefined) throw new Error(`there is no recording of ${part}`);
  return found;
}

describe.skipIf(recordings().length === 0)('recorded answers', () => {
  it('give suggestions', async () => {
    for (const answer of recordingsOf('suggest')) {
      const { metadata, seen } = await extract('/search/suggestions', { query: 'hello', previousQuery: 'hi' }, answer);
      const words = metadata.additionalData?.searchSuggestions as string[];
      expect(words.length, answer.name).toBeGreaterThan(5);
      expect(
        words.every((word) => word.startsWith('h') && !word.includes('<')),
        answer.name,
      ).toBe(true);
      expect(seen[0]?.url.searchParams.get('pq')).toBe('hi');
    }
  });

  it('give the id of a handle, or say that there is none', async () => {
    for (const answer of recordingsOf('resolve_url')) {
      const asked = String(fields(answer.request.body).url).replace('https://www.youtube.com/', '');
      const found = extract('/channel/id-from-handle', { handle: asked }, answer);
      if (answer.status === 404) await expect(found).rejects.toMatchObject({ code: 'not_found' });
      else expect((await found).metadata.channel?.channelId, answer.name).toMatch(/^UC[\w-]{22}$/);
    }
    const { metadata } = await extract(
      '/channel/id-from-handle',
      { handle: 'Gronkh' },
      named('resolve_url', 'gronkh_2'),
    );
    expect(metadata.channel).toEqual({ channelId: 'UCYJ61XIK64sp6ZFFS8sctxw', handle: '@Gronkh' });
  });

  it('give a playlist, its first page and the next', async () => {
    const parameters = { playlistId: 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj' };
    const first = await extract('/playlist', parameters, named('playlist', 'a8c176a0_playlist_t'));
    expect(first.seen[0]?.body).toMatchObject({ browseId: `VL${parameters.playlistId}`, params: 'wgYCCAA=' });
    expect(first.metadata).toMatchObject({
      title: 'Pop Music Playlist - Timeless Pop Songs (Updated Weekly 2025)',
      playlist: {
        info: { videoCount: 200, viewCount: 1_044_562_519, updatedText: 'Updated 5 days ago' },
        nextToken: expect.stringMatching(/^4qmFsg/),
      },
    });
    expect(first.metadata.playlist?.videos).toHaveLength(100);
    const last = await extract('/playlist', parameters, named('playlist', 'pr0702__playlist_timelesspophits_3'), 'c');
    expect(last.seen[0]?.body).toMatchObject({ continuation: 'c' });
    expect(last.metadata.playlist).toMatchObject({ nextToken: null });
    expect(last.metadata.playlist?.videos).toHaveLength(100);
    expect(last.metadata.playlist).not.toHaveProperty('info');
  });

  it('refuse a playlist', async () => {
    for (const part of ['notavailable_1', 'notavailable_2', 'head__channeltab_agerestrictedtabsshorts_3']) {
      const refused = extract('/playlist', { playlistId: 'PL1' }, named('playlist', part));
      await expect(refused, part).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
