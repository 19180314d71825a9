import { describe, expect, it } from 'vitest';
import { fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest } from '../../testing/fake-site.ts';
import { seedOfMix } from '../parse/mix-panel.ts';
import { createInnertube } from '../requests/innertube.ts';
import { defaultSite } from '../site.ts';
import { playlist } from './playlist.ts';

async function extract(parameters: EndpointParameters, reply: (request: SeenRequest) => Reply, cursor?: string | null) {
  const site = fakeSite(reply, typeof cursor === 'string' ? { cursor } : {});
  const { metadata, notes } = await playlist(createInnertube(defaultSite), defaultSite).extract(
    parameters,
    site.context,
  );
  return { metadata, playlist: fields(metadata.playlist), notes, requests: site.requests };
}

const entry = (videoId: string, index: number, title = videoId) => ({
  playlistPanelVideoRenderer: {
    videoId,
    title: { simpleText: title },
    thumbnail: { thumbnails: [{ url: `https://i.example/${videoId}.jpg`, width: 168, height: 94 }] },
    navigationEndpoint: { watchEndpoint: { videoId, index, params: 'OAE%3D' } },
  },
});

const id = (number: number) => `video${String(number).padStart(6, '0')}`;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

const panel = (from: number, to: number, title = 'Mix') => ({
  responseContext: { visitorData: 'V' },
  contents: {
    twoColumnWatchNextResults: {
      playlist: { playlist: { title, contents: range(from, to).map((at) => entry(id(at), at)) } },
    },
  },
});

describe('a mix', () => {
  it('continues as long as it contains something new', async () => {
    const parameters = { playlistId: `RD${id(0)}` };
    const first = await extract(parameters, () => ({ body: panel(0, 25) }));
    expect(fields(first.requests[0]?.body)).toMatchObject({ playlistId: parameters.playlistId, videoId: id(0) });
    expect(first.playlist.info).toEqual({
      id: parameters.playlistId,
      title: 'Mix',
      thumbnails: [{ url: `https://i.example/${id(0)}.jpg`, width: 168, height: 94 }],
      endless: true,
      url: `https://www.youtube.com/watch?v=${id(0)}&list=${parameters.playlistId}`,
    });
    expect(first.metadata).toMatchObject({ title: 'Mix', thumbnailUrl: `https://i.example/${id(0)}.jpg` });
    expect(first.playlist.videos).toHaveLength(25);

    // The site repeats 24 videos before the current one.
    const second = await extract(parameters, () => ({ body: panel(0, 49) }), String(first.playlist.nextToken));
    expect(fields(second.requests[0]?.body)).toMatchObject({
      playlistId: parameters.playlistId,
      videoId: id(24),
      playlistIndex: 24,
      params: 'OAE%3D',
      context: { client: { visitorData: 'V' } },
    });
    expect(second.requests[0]?.headers).toMatchObject({ 'x-goog-visitor-id': 'V' });
    expect(second.playlist).not.toHaveProperty('info');
    expect((second.playlist.videos as { id: string }[]).map((video) => video.id)).toEqual(range(25, 49).map(id));

    const third = await extract(parameters, () => ({ body: panel(24, 73) }), String(second.playlist.nextToken));
    expect((third.playlist.videos as { id: string }[]).map((video) => video.id)).toEqual(range(49, 73).map(id));
    const last = await extract(parameters, () => ({ body: panel(48, 73) }), String(third.playlist.nextToken));
    expect(last.playlist).toEqual({ videos: [], nextToken: null });
  });

  it('has titles in the requested language', async () => {
    const reply = ({ body }: SeenRequest): Reply =>
      JSON.stringify(body).includes('"hl":"fr"') ? { body: panel(0, 2, 'Mélange') } : { body: panel(0, 2) };
    const { metadata, playlist: result } = await extract({ playlistId: `RD${id(0)}`, lang: 'fr' }, reply);
    expect(metadata.title).toBe('Mélange');
    expect(result.info).toMatchObject({ title: 'Mélange' });
  });

  it.each([
    ['RDdQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['RDMMdQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['RDAMVMdQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['RDGMEMYH9CUrFO7CfLJpaD7UR85wVMdQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['RDCMUC16niRr50-MSBwiO3YDb3RA', undefined],
    ['RDEM16niRr50-MSBwiO3YDb3RA', undefined],
    ['RDMM', undefined],
  ])('with ID %s was made around %s', async (playlistId, video) => {
    expect(seedOfMix(playlistId)).toBe(video);
    const { requests } = await extract({ playlistId }, () => ({ body: panel(0, 2) }));
    expect(fields(requests[0]?.body).videoId).toBe(video);
  });

  it('is refused when it does not exist', async () => {
    const videoPage = (parts: object) => ({ body: { contents: { twoColumnWatchNextResults: parts } } });
    const refused = (reply: Reply) => expect(extract({ playlistId: 'RDMM' }, () => reply)).rejects;
    await refused(videoPage({ results: {}, secondaryResults: {} })).toMatchObject({ code: 'not_found' });
    const unread = { code: 'invalid_response_data', unread: { mixPanel: 1 } };
    await refused(videoPage({ results: {}, mixPanel: {} })).toMatchObject(unread);
    await refused({ body: { contents: { mixPanel: {} } } }).toMatchObject(unread);
    const renamed = videoPage({ playlist: { playlist: { contents: [{ mixVideo: { videoId: 'dQw4w9WgXcQ' } }] } } });
    await refused(renamed).toMatchObject({ code: 'invalid_response_data', unread: { mixVideo: 1 } });
    await expect(extract({ playlistId: 'RDMM' }, () => ({ body: {} }), 'no JSON')).rejects.toMatchObject({
      code: 'invalid_token',
    });
  });
});

describe('a playlist', () => {
  const page = (...contents: readonly unknown[]) => ({
    contents: {
      twoColumnBrowseResultsRenderer: {
        tabs: [
          {
            tabRenderer: {
              selected: true,
              content: {
                sectionListRenderer: {
                  contents: [{ itemSectionRenderer: { contents: [{ playlistVideoListRenderer: { contents } }] } }],
                },
              },
            },
          },
        ],
      },
    },
    metadata: { playlistMetadataRenderer: { title: 'A' } },
  });
  const video = (videoId: string, isPlayable = true) => ({
    playlistVideoRenderer: { videoId, title: { simpleText: isPlayable ? 'A' : '[Deleted video]' }, isPlayable },
  });

  it.each(['OLAK5uy_k1234567890', 'UULF16niRr50-MSBwiO3YDb3RA', 'UU16niRr50-MSBwiO3YDb3RA', 'RDCLAK5uy_k12345'])(
    '%s has its own page',
    async (playlistId) => {
      const { requests, playlist: result } = await extract({ playlistId }, () => ({
        body: page(video('dQw4w9WgXcQ')),
      }));
      expect(fields(requests[0]?.body)).toMatchObject({ browseId: `VL${playlistId}`, params: 'wgYCCAA=' });
      expect(result).toMatchObject({ info: { id: playlistId, title: 'A' }, videos: [{ id: 'dQw4w9WgXcQ' }] });
    },
  );

  it('reports which videos cannot be played', async () => {
    const body = page(video('dQw4w9WgXcQ'), video('aaaaaaaaaaa', false), video('bbbbbbbbbbb', false));
    const { playlist: result, notes } = await extract({ playlistId: 'PL1' }, () => ({ body }));
    expect(result.videos).toMatchObject([{}, { playable: false }, { title: '[Deleted video]', playable: false }]);
    expect(result.videos).not.toMatchObject([{ playable: false }, {}, {}]);
    expect(notes).toEqual(['2 of these 3 videos cannot be played.']);
  });

  it('has an author with only a name when there is no channel', async () => {
    const stack = { avatarStack: { avatarStackViewModel: { text: { content: 'by Several Artists' } } } };
    const header = {
      pageHeaderRenderer: {
        content: {
          pageHeaderViewModel: {
            metadata: { contentMetadataViewModel: { metadataRows: [{ metadataParts: [stack] }] } },
            description: { descriptionPreviewViewModel: { description: { content: 'Words.' } } },
            heroImage: {
              contentPreviewImageViewModel: {
                image: { sources: [{ url: 'https://i.example/a.jpg', width: 168, height: 94 }] },
              },
            },
          },
        },
      },
    };
    const microformat = { microformatDataRenderer: { unlisted: true } };
    const body = { ...page(video('dQw4w9WgXcQ')), header, microformat };
    const { playlist: result } = await extract({ playlistId: 'OLAK5uy_1' }, () => ({ body }));
    expect(result.info).toMatchObject({
      author: { name: 'Several Artists' },
      description: 'Words.',
      thumbnails: [{ url: 'https://i.example/a.jpg' }],
      unlisted: true,
    });
  });
});
