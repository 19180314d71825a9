import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fields } from '../../../parsing/values.ts';
import type { Reply, SeenRequest } from '../../testing/fake-site.ts';
import { channelId, extract, lockup, nextPage, tab, tabs } from '../testing/channel-site.ts';

const panel = (token: string) => ({
  innertubeCommand: {
    showEngagementPanelEndpoint: {
      engagementPanel: {
        engagementPanelSectionListRenderer: {
          content: {
            sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [nextPage(token)] } }] },
          },
        },
      },
    },
  },
});

const page = {
  ...tabs(tab('videos', []), tab('streams')),
  header: {
    pageHeaderRenderer: {
      content: {
        pageHeaderViewModel: {
          title: { dynamicTextViewModel: { text: { content: 'A' } } },
          metadata: {
            contentMetadataViewModel: {
              metadataRows: [
                { metadataParts: [{ text: { content: '@a' } }] },
                { metadataParts: [{ text: { content: '1.2K subscribers' } }, { text: { content: '1.1K videos' } }] },
              ],
            },
          },
          description: {
            descriptionPreviewViewModel: { rendererContext: { commandContext: { onTap: panel('ABOUT') } } },
          },
        },
      },
    },
  },
  metadata: { channelMetadataRenderer: { externalId: channelId, title: 'A', description: 'All of it.' } },
};

const about = {
  onResponseReceivedEndpoints: [
    {
      appendContinuationItemsAction: {
        continuationItems: [
          {
            aboutChannelRenderer: {
              metadata: {
                aboutChannelViewModel: {
                  description: 'All of it.',
                  country: 'France',
                  subscriberCountText: '1.2K subscribers',
                  viewCountText: '3,456,789 views',
                  videoCountText: '1,123 videos',
                  joinedDateText: { content: 'Joined Jan 28, 2015' },
                  links: [
                    {
                      channelExternalLinkViewModel: {
                        title: { content: 'Shop' },
                        link: {
                          content: 'shop.example/a',
                          commandRuns: [
                            {
                              startIndex: 0,
                              length: 14,
                              onTap: {
                                innertubeCommand: {
                                  urlEndpoint: {
                                    url: 'https://www.youtube.com/redirect?q=https%3A%2F%2Fshop.example%2Fa',
                                  },
                                },
                              },
                            },
                          ],
                        },
                        favicon: { sources: [{ url: 'https://icons.example/s.png', width: 16, height: 16 }] },
                      },
                    },
                    { channelExternalLinkViewModel: { link: { content: 'plain.example' } } },
                    { channelExternalLinkViewModel: { title: { content: 'nothing' } } },
                  ],
                },
              },
            },
          },
        ],
      },
    },
  ],
};

const withAbout = ({ body }: SeenRequest): Reply => ({ body: fields(body).continuation === 'ABOUT' ? about : page });

describe('/channel/details', () => {
  it('combines the channel page and the "About" panel', async () => {
    const { channel, metadata, notes, incomplete, requests } = await extract(
      '/channel/details',
      { channelId },
      withAbout,
    );
    expect(channel).toEqual({
      channelId,
      handle: '@a',
      title: 'A',
      description: 'All of it.',
      subscriberCount: 1_200,
      subscriberCountText: '1.2K subscribers',
      videoCount: 1_123,
      videoCountText: '1,123 videos',
      viewCount: 3_456_789,
      viewCountText: '3,456,789 views',
      country: 'France',
      joinedText: 'Joined Jan 28, 2015',
      joinedAt: '2015-01-28',
      links: [
        {
          title: 'Shop',
          url: 'https://shop.example/a',
          icons: [{ url: 'https://icons.example/s.png', width: 16, height: 16 }],
        },
        { title: 'plain.example', url: 'https://plain.example/' },
      ],
      tabs: ['videos', 'livestreams'],
      url: `https://www.youtube.com/channel/${channelId}`,
    });
    expect(metadata.title).toBe('A');
    expect([notes, incomplete]).toEqual([[], false]);
    expect(requests.map(({ body }) => fields(body))).toMatchObject([
      { browseId: channelId },
      { continuation: 'ABOUT' },
    ]);
  });

  it('returns title and description in the requested language', async () => {
    const reply = (request: SeenRequest): Reply =>
      JSON.stringify(request.body).includes('"hl":"fr"')
        ? { body: { ...page, metadata: { channelMetadataRenderer: { title: 'É', description: 'Tout.' } } } }
        : withAbout(request);
    const { channel } = await extract('/channel/details', { channelId, lang: 'fr' }, reply);
    expect(channel).toMatchObject({ title: 'É', description: 'Tout.', subscriberCount: 1_200, country: 'France' });
  });

  it.each<[string, Reply]>([
    ['fails', { status: 500, body: '' }],
    ['returns something else', { body: page }],
  ])('returns a partial result with a note when the panel %s', async (_name, failing) => {
    const reply = ({ body }: SeenRequest) => (fields(body).continuation === 'ABOUT' ? failing : { body: page });
    const { channel, notes, incomplete } = await extract('/channel/details', { channelId }, reply);
    expect(incomplete).toBe(true);
    expect(channel).toMatchObject({ title: 'A', subscriberCount: 1_200, videoCount: 1_100 });
    expect(channel).not.toHaveProperty('viewCount');
    expect(notes).toEqual([expect.stringMatching(/^Views, country, join date and links are missing/)]);
  });

  it('does not return a partial result when the time is over', async () => {
    const late = new MillraceError('operation_timeout', 'Over.');
    const reply = ({ body }: SeenRequest) => (fields(body).continuation === 'ABOUT' ? late : { body: page });
    const signal = AbortSignal.abort(late);
    await expect(extract('/channel/details', { channelId }, reply, { signal })).rejects.toBe(late);
  });

  it('reads the previous page header format', async () => {
    const header = {
      c4TabbedHeaderRenderer: {
        title: 'Old',
        badges: [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_VERIFIED' } }],
        channelHandleText: { runs: [{ text: '@old' }] },
        subscriberCountText: { simpleText: '2.5M subscribers' },
        videosCountText: { runs: [{ text: '12' }, { text: ' videos' }] },
        avatar: { thumbnails: [{ url: 'https://a.example/a.jpg', width: 88, height: 88 }] },
        banner: { thumbnails: [{ url: 'https://a.example/b.jpg', width: 1_060, height: 175 }] },
        tagline: { channelTaglineRenderer: { content: 'Words.', moreEndpoint: panel('ABOUT').innertubeCommand } },
      },
    };
    const reply = ({ body }: SeenRequest): Reply => ({
      body: fields(body).continuation === 'ABOUT' ? about : { ...tabs(tab('videos', [])), header },
    });
    const { channel } = await extract('/channel/details', { channelId }, reply);
    expect(channel).toMatchObject({
      channelId,
      handle: '@old',
      title: 'Old',
      verified: true,
      subscriberCountText: '1.2K subscribers',
      country: 'France',
      avatar: [{ width: 88 }],
      banner: [{ width: 1_060 }],
    });
  });

  it('follows a channel to its replacement ID, but not in circles', async () => {
    const other = 'UCXuqSBlHAE6Xw-yeJA0Tunw';
    const to = (browseId: string) => ({
      onResponseReceivedActions: [{ navigateAction: { endpoint: { browseEndpoint: { browseId } } } }],
    });
    const extraction = await extract('/channel/videos', { channelId, contentType: 'videos' }, ({ body }) => ({
      body: fields(body).browseId === other ? tabs(tab('videos', [lockup('dQw4w9WgXcQ')])) : to(other),
    }));
    expect(extraction.channel).toMatchObject({ videos: { contents: [{ id: 'dQw4w9WgXcQ' }] } });
    const circle = extract('/channel/details', { channelId }, () => ({ body: to(channelId) }));
    await expect(circle).rejects.toMatchObject({ code: 'invalid_response_data' });
  });
});
