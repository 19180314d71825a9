/**
 * What a parameter takes: any text; true or false; one of some values; several of some values, or of others besides.
 */
export type Takes =
  | 'text'
  | 'flag'
  | readonly string[]
  | { readonly several: readonly string[] }
  | { readonly several: readonly string[]; readonly andOthers: true };

/** An endpoint of the extraction API, as the client asks it. */
export interface EndpointEntry {
  /** Parameters without which nothing can be asked. */
  readonly needs: Readonly<Record<string, Takes>>;
  /** Parameters that may be left out. */
  readonly takes: Readonly<Record<string, Takes>>;
  /** Where the list is that comes in pages, below `metadata`; a parameter's value stands for its name in braces. */
  readonly list?: string;
}

const formats = ['lowres', 'midres', 'highres', 'all', 'all_highres'] as const;

const rungs = { several: [...formats, '144p', '240p', '360p', '480p', '720p', '1080p'] } as const;

const youtubeFormats = {
  several: [
    ...formats,
    ...['144p', '240p', '360p', '480p', '720p', '720p60', '1080p', '1080p60', '1440p', '1440p60', '2160p', '2160p60'],
  ] as const,
  andOthers: true,
} as const;

const dailymotionFormats = { several: [...formats, '240', '380', '480', '720', '1080'], andOthers: true } as const;

const parts = [
  'contents',
  'contents.videos',
  'contents.audios',
  'contents.images',
  'contents.renderableVideos',
  'contents.renderableAudios',
  'metadata',
  'metadata.author',
  'metadata.comments',
  'metadata.playlist',
  'metadata.channel',
  'metadata.post',
  'metadata.hashtag',
  'metadata.transcript',
  'metadata.additionalData',
] as const;

const without = <Part extends string>(part: Part): `-${Part}` => `-${part}`;

const fields = { several: [...parts, ...parts.map(without)] } as const;

const commentOrder = ['TOP_COMMENTS', 'NEWEST_FIRST'] as const;

const search = {
  needs: { query: 'text' },
  takes: {
    uploadDate: ['all', 'today', 'week', 'month', 'year'],
    prioritize: ['relevance', 'popularity'],
    duration: ['all', 'under_three_mins', 'three_to_twenty_mins', 'over_twenty_mins'],
    features: {
      several: [
        '360',
        '3d',
        '4k',
        'creative_commons',
        'hd',
        'hdr',
        'live',
        'location',
        'purchased',
        'subtitles',
        'vr180',
      ],
    },
    sortBy: ['relevance', 'rating', 'upload_date', 'view_count'],
    nextToken: 'text',
    lang: 'text',
  },
  list: 'additionalData.searchResults.results',
} as const satisfies EndpointEntry;

/**
 * Every endpoint of the extraction API, by platform and by its path below `/<platform>/v3/`. Methods, their types and
 * the roads through pages are made from it; a test holds it against the service's own document. Codes of languages and
 * countries are texts here: the service refuses what is none, and names it.
 */
export const endpoints = {
  p1: {
    'video/details': {
      needs: { videoId: 'text' },
      takes: {
        renderableFormats: youtubeFormats,
        urlAccess: ['normal', 'proxied'],
        getTranscript: 'flag',
        transcriptLanguage: 'text',
        fields,
        countryCode: 'text',
        lang: 'text',
      },
    },
    'video/comments': {
      needs: { videoId: 'text' },
      takes: { commentId: 'text', sortBy: commentOrder, nextToken: 'text', lang: 'text' },
      list: 'comments.threads',
    },
    'post/details': { needs: { postId: 'text', channelId: 'text' }, takes: { lang: 'text' } },
    'post/comments': {
      needs: { postId: 'text', channelId: 'text' },
      takes: { sortBy: commentOrder, nextToken: 'text', lang: 'text' },
      list: 'comments.threads',
    },
    playlist: {
      needs: { playlistId: 'text' },
      takes: { nextToken: 'text', countryCode: 'text', lang: 'text' },
      list: 'playlist.videos',
    },
    search,
    'search/video': search,
    'search/channel': search,
    'search/playlist': search,
    'search/movie': search,
    'search/suggestions': { needs: { query: 'text' }, takes: { previousQuery: 'text', lang: 'text' } },
    'channel/details': { needs: { channelId: 'text' }, takes: { lang: 'text' } },
    'channel/videos': {
      needs: { channelId: 'text', contentType: ['videos', 'shorts', 'livestreams'] },
      takes: { nextToken: 'text', lang: 'text' },
      list: 'channel.{contentType}.contents',
    },
    'channel/playlists': {
      needs: { channelId: 'text', contentType: ['playlists', 'releases', 'podcasts'] },
      takes: { nextToken: 'text', lang: 'text' },
      list: 'channel.{contentType}.contents',
    },
    'channel/posts': {
      needs: { channelId: 'text' },
      takes: { nextToken: 'text', lang: 'text' },
      list: 'channel.posts.contents',
    },
    'channel/id-from-handle': { needs: { handle: 'text' }, takes: {} },
    hashtag: { needs: { tag: 'text' }, takes: { nextToken: 'text', lang: 'text' }, list: 'hashtag.contents' },
  },
  p2: {
    'media/post/details': { needs: { shortcode: 'text' }, takes: { renderableFormats: rungs, countryCode: 'text' } },
    'media/audio/details': { needs: { audioId: 'text' }, takes: {} },
    'user/profile/details': { needs: { username: 'text' }, takes: {} },
    'user/profile/id-from-username': { needs: { username: 'text' }, takes: {} },
  },
  p3: {
    'post/details': { needs: { url: 'text' }, takes: { renderableFormats: rungs } },
    'profile/details': { needs: { url: 'text' }, takes: {} },
    'profile/id': { needs: { url: 'text' }, takes: {} },
    'profile/about': { needs: { url: 'text' }, takes: {} },
    'profile/reels': { needs: { url: 'text' }, takes: { nextToken: 'text' }, list: 'author.reels.contents' },
    'profile/photos': { needs: { url: 'text' }, takes: { nextToken: 'text' }, list: 'author.photos.contents' },
  },
  p4: {
    'post/details': { needs: { url: 'text' }, takes: {} },
    'user/details': { needs: { url: 'text' }, takes: {} },
  },
  p5: {
    'video/details': {
      needs: { videoId: 'text' },
      takes: { renderableFormats: dailymotionFormats, countryCode: 'text' },
    },
  },
  p6: { 'pin/details': { needs: { pinId: 'text' }, takes: { countryCode: 'text' } } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, EndpointEntry>>>>;
