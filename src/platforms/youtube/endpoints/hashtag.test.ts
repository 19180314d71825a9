import { describe, expect, it } from 'vitest';
import { fields } from '../../../parsing/values.ts';
import { fakeSite, type Reply } from '../../testing/fake-site.ts';
import { createInnertube } from '../requests/innertube.ts';
import { encodeMessage, encodeParams } from '../requests/protobuf.ts';
import { defaultSite } from '../site.ts';
import { hashtag } from './hashtag.ts';

const grid = {
  contents: {
    twoColumnBrowseResultsRenderer: {
      tabs: [
        {
          tabRenderer: {
            selected: true,
            content: {
              richGridRenderer: {
                contents: [
                  { richItemRenderer: { content: { videoRenderer: { videoId: 'dQw4w9WgXcQ' } } } },
                  { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: 'T' } } } },
                ],
              },
            },
          },
        },
      ],
    },
  },
};

const oldHead = {
  hashtagHeaderRenderer: {
    hashtag: { simpleText: '#Cats' },
    hashtagInfoText: { simpleText: '1.1M videos • 8.1K channels' },
  },
};

const head = (...parts: readonly string[]) => ({
  pageHeaderRenderer: {
    content: {
      pageHeaderViewModel: {
        title: { dynamicTextViewModel: { text: { content: '#cats' } } },
        metadata: {
          contentMetadataViewModel: {
            metadataRows: [{ metadataParts: parts.map((content) => ({ text: { content } })) }],
          },
        },
      },
    },
  },
});

async function extract(tag: string, reply: Reply, cursor?: string) {
  const site = fakeSite(() => reply, cursor === undefined ? {} : { cursor });
  const { metadata, notes } = await hashtag(createInnertube(defaultSite), defaultSite).extract({ tag }, site.context);
  return { result: metadata.hashtag, notes, requestBody: fields(site.requests[0]?.body) };
}

describe('a hashtag', () => {
  it.each(['cats', '#cats', '#CATS', '%23Cats', ' #cats ', '%63ats'])(
    'is requested in normalised form for %s',
    async (tag) => {
      const { result, requestBody } = await extract(tag, { body: grid });
      expect(requestBody).toMatchObject({
        browseId: 'FEhashtag',
        params: encodeParams([93, encodeMessage([1, 'cats'], [3, 1])]),
      });
      expect(result).toEqual({
        tag: 'cats',
        contents: [expect.objectContaining({ id: 'dQw4w9WgXcQ' })],
        nextToken: 'T',
      });
    },
  );

  it.each(['قطط', '猫', '🐈‍⬛', 'été', '100%25', '100%'])('can be %s', async (tag) => {
    expect((await extract(tag, { body: grid })).result).toMatchObject({ contents: [{ id: 'dQw4w9WgXcQ' }] });
  });

  it.each(['#', '%23', 'a b', 'a%20b', 'a/b', 'a#b', 'x'.repeat(101), '\ud800', 'a%00'])(
    'cannot be %j',
    async (tag) => {
      const extraction = extract(tag, { body: grid });
      await expect(extraction).rejects.toMatchObject({ code: 'invalid_params', parameter: 'tag' });
    },
  );

  it.each([
    ['in one text', oldHead, '1.1M videos', 8_100],
    ['in one part', head('1.1M videos • 8.1K channels'), '1.1M videos', 8_100],
    ['in two parts', head('1.1M videos', '8.1K channels'), '1.1M videos', 8_100],
  ])('includes its counts if they are %s', async (_name, header, videoCountText, channelCount) => {
    const { result } = await extract('cats', { body: { ...grid, header } });
    expect(result).toMatchObject({
      tag: expect.stringMatching(/^cats$/i),
      videoCount: 1_100_000,
      videoCountText,
      channelCount,
    });
  });

  it('continues to the last page', async () => {
    const items = {
      continuationItems: [{ richItemRenderer: { content: { videoRenderer: { videoId: 'aaaaaaaaaaa' } } } }],
    };
    const body = { onResponseReceivedActions: [{ appendContinuationItemsAction: items }] };
    const { result, requestBody } = await extract('cats', { body }, 'T');
    expect(requestBody).toMatchObject({ continuation: 'T' });
    expect(result).toEqual({
      tag: 'cats',
      contents: [expect.objectContaining({ id: 'aaaaaaaaaaa' })],
      nextToken: null,
    });
  });

  it('fails when the site returns no page for it', async () => {
    await expect(extract('cats', { body: {} })).rejects.toMatchObject({ code: 'invalid_response_data' });
    const bad = { status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } };
    await expect(extract('cats', bad)).rejects.toMatchObject({ code: 'not_found' });
    await expect(extract('cats', bad, 'T')).rejects.toMatchObject({ code: 'invalid_token' });
  });
});
