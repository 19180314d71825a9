import { expect, it } from 'vitest';
import { itemReaders } from './item-readers.ts';

const id = 'dQw4w9WgXcQ';
const channelId = 'UC16niRr50-MSBwiO3YDb3RA';
const owner = { runs: [{ text: 'BBC', navigationEndpoint: { browseEndpoint: { browseId: channelId } } }] };
const channel = { id: channelId, name: 'BBC', url: `https://www.youtube.com/channel/${channelId}` };
const overlay = (style: string) => [{ thumbnailOverlayTimeStatusRenderer: { style, text: { simpleText: style } } }];

/** Returns a lockup with lines of text below its title, and a badge on its thumbnail. */
function lockup(contentType: string, contentId: string, lines: readonly string[], corner: string, style = '') {
  const badge = { thumbnailBadgeViewModel: { text: corner, badgeStyle: `THUMBNAIL_OVERLAY_BADGE_STYLE_${style}` } };
  const overlays = [{ thumbnailBottomOverlayViewModel: { badges: [badge] } }];
  const metadataRows = [{ metadataParts: lines.map((content) => ({ text: { content } })) }];
  return {
    contentType: `LOCKUP_CONTENT_TYPE_${contentType}`,
    contentId,
    contentImage: { thumbnailViewModel: { overlays } },
    metadata: {
      lockupMetadataViewModel: { title: { content: 'T' }, metadata: { contentMetadataViewModel: { metadataRows } } },
    },
  };
}

/** Returns the target of a lockup in a playlist: its video, at its position there. */
function entryOf(playlistId: string, index: number) {
  const innertubeCommand = { watchEndpoint: { videoId: id, playlistId, index } };
  return { rendererContext: { commandContext: { onTap: { innertubeCommand } } } };
}

const hiddenEntry = {
  contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
  contentId: id,
  metadata: { lockupMetadataViewModel: { title: { content: '[Private video]' } } },
};

it.each<[string, string, unknown, unknown]>([
  [
    'a film with its lines of facts',
    'movieRenderer',
    {
      videoId: id,
      title: { runs: [{ text: 'M' }] },
      lengthText: { simpleText: '1:55:11' },
      topMetadataItems: [{ simpleText: 'Drama · 2019' }],
      bottomMetadataItems: [{ simpleText: 'Director: D' }],
      badges: [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_YPC', label: 'Buy' } }],
    },
    { type: 'movie', id, title: 'M', duration: 6911, facts: ['Drama · 2019', 'Director: D'], badges: ['Buy'] },
  ],
  [
    'a premiere that is yet to come',
    'videoRenderer',
    {
      videoId: id,
      upcomingEventData: { startTime: '1783108800' },
      thumbnailOverlays: overlay('UPCOMING'),
      viewCountText: { runs: [{ text: '20' }, { text: ' waiting' }] },
    },
    { type: 'video', upcoming: true, scheduledAt: '2026-07-03T20:00:00.000Z', waitingCount: 20 },
  ],
  [
    'a live stream',
    'gridVideoRenderer',
    {
      videoId: id,
      thumbnailOverlays: overlay('LIVE'),
      viewCountText: { simpleText: '1.2K watching' },
      ownerText: owner,
    },
    { type: 'live', viewerCount: 1200, viewerCountText: '1.2K watching', channel },
  ],
  [
    'a short among videos',
    'videoRenderer',
    { videoId: id, navigationEndpoint: { reelWatchEndpoint: { videoId: id } } },
    { type: 'short', url: `https://www.youtube.com/shorts/${id}` },
  ],
  [
    'an entry of a playlist that cannot be played',
    'playlistVideoRenderer',
    { videoId: id, isPlayable: false, index: { simpleText: '7' }, lengthSeconds: '61' },
    { type: 'video', playable: false, index: 7, duration: 61 },
  ],
  [
    'a show, whose id stands in its link',
    'showRenderer',
    {
      title: { simpleText: 'S' },
      navigationEndpoint: { watchEndpoint: { playlistId: 'PLx', videoId: id } },
      longBylineText: owner,
    },
    { type: 'playlist', kind: 'show', id: 'PLx', firstVideoId: id, channel },
  ],
  [
    'a mix',
    'radioRenderer',
    { playlistId: 'RDx', title: { simpleText: 'Mix' }, navigationEndpoint: { watchEndpoint: { videoId: id } } },
    { type: 'mix', id: 'RDx', url: `https://www.youtube.com/watch?v=${id}&list=RDx` },
  ],
  [
    'a channel whose texts mean what they say',
    'gridChannelRenderer',
    {
      channelId,
      subscriberCountText: { simpleText: '2.53m subscribers' },
      videoCountText: { runs: [{ text: '1,205' }, { text: ' videos' }] },
    },
    { type: 'channel', subscriberCount: 2_530_000, videoCount: 1205 },
  ],
  [
    'a hashtag',
    'hashtagTileRenderer',
    {
      hashtag: { simpleText: '#cats' },
      hashtagVideoCount: { simpleText: '1.1M videos' },
      hashtagChannelCount: { simpleText: '20K channels' },
    },
    { type: 'hashtag', id: 'cats', title: '#cats', videoCount: 1_100_000, channelCount: 20_000 },
  ],
  [
    'a post',
    'backstagePostThreadRenderer',
    { post: { backstagePostRenderer: { postId: 'Ugx', contentText: owner, voteCount: { simpleText: '88K' } } } },
    { type: 'post', id: 'Ugx', text: 'BBC', likeCount: 88_000 },
  ],
  [
    'an entry of a playlist, the third',
    'lockupViewModel',
    { ...lockup('VIDEO', id, ['4K views'], '0:30'), ...entryOf('PLMC9KNkIncKtPzgY', 2) },
    { type: 'video', index: 3, duration: 30, viewCount: 4000 },
  ],
  [
    'an entry of a playlist that is not shown',
    'lockupViewModel',
    hiddenEntry,
    { type: 'video', id, title: '[Private video]', playable: false },
  ],
  [
    'a lockup of a station',
    'lockupViewModel',
    lockup('STATION', `RDEM${'a'.repeat(22)}`, [], 'Mix'),
    {
      type: 'mix',
      id: `RDEM${'a'.repeat(22)}`,
      title: 'T',
      url: `https://www.youtube.com/playlist?list=RDEM${'a'.repeat(22)}`,
    },
  ],
  [
    'a lockup on air',
    'lockupViewModel',
    lockup('VIDEO', id, ['500 watching'], 'LIVE', 'LIVE'),
    { type: 'live', viewerCount: 500 },
  ],
  [
    'a lockup that is yet to come',
    'lockupViewModel',
    lockup('VIDEO', id, ['20 waiting', 'Scheduled for 7/4/26, 8:00 PM'], 'UPCOMING', 'UPCOMING'),
    { type: 'video', upcoming: true, waitingCount: 20, publishedText: 'Scheduled for 7/4/26, 8:00 PM' },
  ],
  [
    'a course',
    'lockupViewModel',
    lockup('PLAYLIST', 'PLx', ['Updated today'], '14 lessons'),
    { type: 'playlist', kind: 'course', videoCount: 14, updatedText: 'Updated today' },
  ],
  ['a mix among lockups', 'lockupViewModel', lockup('PLAYLIST', 'RDMMx', [], 'Mix'), { type: 'mix', id: 'RDMMx' }],
  [
    'a list of YouTube Music',
    'lockupViewModel',
    lockup('PLAYLIST', 'RDCLAK5uy_x', [], '50 songs'),
    { type: 'playlist', videoCount: 50 },
  ],
])('reads %s', (_name, key, node, expected) => expect(itemReaders.get(key)?.(node)).toMatchObject(expected as object));

it('reads the verified mark after the name of the channel beside a lockup', () => {
  const channelId = 'UC16niRr50-MSBwiO3YDb3RA';
  const mark = (imageName: string) => [
    { element: { type: { imageType: { image: { sources: [{ clientResource: { imageName } }] } } } } },
  ];
  const verified = (imageName: string) => {
    const parts = [{ text: { content: 'A channel', attachmentRuns: mark(imageName) } }];
    const tap = { innertubeCommand: { browseEndpoint: { browseId: channelId } } };
    const item = itemReaders.get('lockupViewModel')?.({
      contentId: id,
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      metadata: {
        lockupMetadataViewModel: {
          image: { decoratedAvatarViewModel: { rendererContext: { commandContext: { onTap: tap } } } },
          metadata: { contentMetadataViewModel: { metadataRows: [{ metadataParts: parts }] } },
        },
      },
    });
    return item !== undefined && 'channel' in item ? item.channel : undefined;
  };
  expect(verified('CHECK_CIRCLE_FILLED')).toMatchObject({ id: channelId, name: 'A channel', verified: true });
  expect(verified('AUDIO_BADGE')).toMatchObject({ verified: true });
  expect(verified('MUSIC')).not.toHaveProperty('verified');
});

it('reads a search result as live if a badge is the only sign of it', () => {
  const badges = [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_LIVE_NOW', label: 'LIVE' } }];
  expect(itemReaders.get('videoRenderer')?.({ videoId: id, badges })).toMatchObject({ type: 'live', id });
});

it('ignores a lockup of an unknown type', () => {
  expect(itemReaders.get('lockupViewModel')?.(lockup('HOLOGRAM', id, [], ''))).toBeUndefined();
});
