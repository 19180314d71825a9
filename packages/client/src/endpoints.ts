// Made by "npm run docs" from the registry of platforms (src/platforms/index.ts).
import type { EndpointEntry } from './endpoint-entry.ts';

const sortBy = ['TOP_COMMENTS', 'NEWEST_FIRST'] as const;

const renderableFormats = {
  listOf: ['lowres', 'midres', 'highres', 'all', 'all_highres', '144p', '240p', '360p', '480p', '720p', '1080p'],
} as const;

const search = {
  required: {
    /** Text to search for, of 2000 characters at most. */
    query: 'text',
  },
  optional: {
    /** Only what was published today, or in the last week, month or year. Default all. */
    uploadDate: ['all', 'today', 'week', 'month', 'year'],
    /** What comes first: relevance (default) or popularity. */
    prioritize: ['relevance', 'popularity'],
    /** Only videos of this length: all (default), under_three_mins, three_to_twenty_mins, over_twenty_mins. */
    duration: ['all', 'under_three_mins', 'three_to_twenty_mins', 'over_twenty_mins'],
    /**
     * Only videos that have all of these, as a comma list: 360, 3d, 4k, creative_commons, hd, hdr, live, location,
     * purchased, subtitles, vr180.
     */
    features: {
      listOf: [
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
    /**
     * Replaced by prioritize and uploadDate. view_count means prioritize=popularity; YouTube has no order by rating
     * or upload_date any more (since 2026-03): relevance, rating, upload_date, view_count.
     */
    sortBy: ['relevance', 'rating', 'upload_date', 'view_count'],
    /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
    nextToken: 'text',
    /** Language of texts: a two-letter ISO 639-1 code in any case. */
    lang: 'text',
  },
  list: 'additionalData.searchResults.results',
} as const satisfies EndpointEntry;

/**
 * Every endpoint of the extraction API, by platform and by its path below `/<platform>/v3/`. The client's methods and
 * their types are made from it.
 */
export const endpoints = {
  /** YouTube. */
  p1: {
    /** Media, metadata and transcript of a video. */
    'video/details': {
      required: {
        /** Video id: the 11 characters behind v= in the address of the video. */
        videoId: 'text',
      },
      optional: {
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, or the label of a video: 144p,
         * 240p, 360p, 480p, 720p, 720p60, 1080p, 1080p60, 1440p, 1440p60, 2160p, 2160p60, and these with " HDR" behind.
         */
        renderableFormats: {
          listOf: [
            'lowres',
            'midres',
            'highres',
            'all',
            'all_highres',
            '144p',
            '240p',
            '360p',
            '480p',
            '720p',
            '720p60',
            '1080p',
            '1080p60',
            '1440p',
            '1440p60',
            '2160p',
            '2160p60',
          ],
          extensible: true,
        },
        /** normal (default): the source's own links; proxied: links that lead through this service. */
        urlAccess: ['normal', 'proxied'],
        /** Whether the transcript is wanted: true or false (default). */
        getTranscript: 'flag',
        /** Language of the transcript, a value of metadata.transcript.languages; default the primary track. */
        transcriptLanguage: 'text',
        /**
         * Parts of the answer that are wanted, separated by commas; with - in front, those that are not. Possible are
         * contents, contents.videos, contents.audios, contents.images, contents.renderableVideos,
         * contents.renderableAudios, metadata, metadata.author, metadata.comments, metadata.playlist, metadata.channel,
         * metadata.post, metadata.hashtag, metadata.transcript, metadata.additionalData.
         */
        fields: {
          listOf: [
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
            '-contents',
            '-contents.videos',
            '-contents.audios',
            '-contents.images',
            '-contents.renderableVideos',
            '-contents.renderableAudios',
            '-metadata',
            '-metadata.author',
            '-metadata.comments',
            '-metadata.playlist',
            '-metadata.channel',
            '-metadata.post',
            '-metadata.hashtag',
            '-metadata.transcript',
            '-metadata.additionalData',
          ],
        },
        /** Country that the request goes out from: an ISO 3166-1 alpha-2 code in any case, or worldwide. */
        countryCode: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
    },
    /** Comments of a video, or replies to a comment. */
    'video/comments': {
      required: {
        /** Video id: the 11 characters behind v= in the address of the video. */
        videoId: 'text',
      },
      optional: {
        /** Comment id: gives the replies to that comment instead of the comments of the video. */
        commentId: 'text',
        /** Order of the comments; TOP_COMMENTS if it is left out. */
        sortBy,
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
      list: 'comments.threads',
    },
    /** A post of a channel. */
    'post/details': {
      required: {
        /** Post id: what stands behind /post/ in the address of the post; it begins with Ug. */
        postId: 'text',
        /** Channel id: UC and 22 characters. /channel/id-from-handle finds that of a handle. */
        channelId: 'text',
      },
      optional: {
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
    },
    /** Comments of a post. */
    'post/comments': {
      required: {
        /** Post id: what stands behind /post/ in the address of the post; it begins with Ug. */
        postId: 'text',
        /** Channel id: UC and 22 characters. /channel/id-from-handle finds that of a handle. */
        channelId: 'text',
      },
      optional: {
        /** Order of the comments; TOP_COMMENTS if it is left out. */
        sortBy,
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
      list: 'comments.threads',
    },
    /** A playlist and its videos. */
    playlist: {
      required: {
        /** Playlist id: what stands behind list= in the address of the playlist (PL…, UU…, OLAK5uy_…, RD…). */
        playlistId: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
        /** Country that the request goes out from: an ISO 3166-1 alpha-2 code in any case, or worldwide. */
        countryCode: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
      list: 'playlist.videos',
    },
    /** Search for anything. */
    search,
    /** Search for videos. */
    'search/video': search,
    /** Search for channels. */
    'search/channel': search,
    /** Search for playlists. */
    'search/playlist': search,
    /** Search for films. */
    'search/movie': search,
    /** What to search for, from the beginning of a text. */
    'search/suggestions': {
      required: {
        /** Text to search for, of 2000 characters at most. */
        query: 'text',
      },
      optional: {
        /** What was searched for before; it can change the suggestions. */
        previousQuery: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
    },
    /** A channel. */
    'channel/details': {
      required: {
        /** Channel id: UC and 22 characters. /channel/id-from-handle finds that of a handle. */
        channelId: 'text',
      },
      optional: {
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
    },
    /** Videos, shorts or live streams of a channel. */
    'channel/videos': {
      required: {
        /** Channel id: UC and 22 characters. /channel/id-from-handle finds that of a handle. */
        channelId: 'text',
        /** What to list: videos, shorts, livestreams. */
        contentType: ['videos', 'shorts', 'livestreams'],
      },
      optional: {
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
      list: 'channel.{contentType}.contents',
    },
    /** Playlists, releases or podcasts of a channel. */
    'channel/playlists': {
      required: {
        /** Channel id: UC and 22 characters. /channel/id-from-handle finds that of a handle. */
        channelId: 'text',
        /** What to list: playlists, releases, podcasts. */
        contentType: ['playlists', 'releases', 'podcasts'],
      },
      optional: {
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
      list: 'channel.{contentType}.contents',
    },
    /** Posts of a channel. */
    'channel/posts': {
      required: {
        /** Channel id: UC and 22 characters. /channel/id-from-handle finds that of a handle. */
        channelId: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
      list: 'channel.posts.contents',
    },
    /** The id of a channel, from its handle. */
    'channel/id-from-handle': {
      required: {
        /** Handle of the channel with or without a leading @, or its older name as user/… or c/…. */
        handle: 'text',
      },
      optional: {},
    },
    /** Videos under a hashtag. */
    hashtag: {
      required: {
        /** The hashtag, with or without # and in any case, of 100 characters at most and without spaces. */
        tag: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
        /** Language of texts: a two-letter ISO 639-1 code in any case. */
        lang: 'text',
      },
      list: 'hashtag.contents',
    },
  },
  /** Instagram. */
  p2: {
    /** Media and metadata of a post, reel or carousel. */
    'media/post/details': {
      required: {
        /** Code in the address of the post, or the link itself. */
        shortcode: 'text',
      },
      optional: {
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, or 144p, 240p, 360p, 480p, 720p,
         * 1080p.
         */
        renderableFormats,
        /** Country that the request goes out from: an ISO 3166-1 alpha-2 code in any case, or worldwide. */
        countryCode: 'text',
      },
    },
    /** A sound, and reels that use it. */
    'media/audio/details': {
      required: {
        /** Number of the sound, or its link. */
        audioId: 'text',
      },
      optional: {},
    },
    /** The profile of an account. */
    'user/profile/details': {
      required: {
        /** Name of the account, without @, or the link of its profile. */
        username: 'text',
      },
      optional: {},
    },
    /** The number of an account, from its name. */
    'user/profile/id-from-username': {
      required: {
        /** Name of the account, without @, or the link of its profile. */
        username: 'text',
      },
      optional: {},
    },
  },
  /** Facebook. */
  p3: {
    /** Media and metadata of a post, photo, video or reel. */
    'post/details': {
      required: {
        /** A public link of Facebook, or a text that holds one; the first link counts. */
        url: 'text',
      },
      optional: {
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, 144p, 240p, 360p, 480p, 720p,
         * 1080p.
         */
        renderableFormats,
      },
    },
    /** What a profile or page tells of itself. */
    'profile/details': {
      required: {
        /** A public link of Facebook, or a text that holds one; the first link counts. */
        url: 'text',
      },
      optional: {},
    },
    /** The number of a profile or page. */
    'profile/id': {
      required: {
        /** A public link of Facebook, or a text that holds one; the first link counts. */
        url: 'text',
      },
      optional: {},
    },
    /** What the About tab of a profile or page tells. */
    'profile/about': {
      required: {
        /** A public link of Facebook, or a text that holds one; the first link counts. */
        url: 'text',
      },
      optional: {},
    },
    /** Reels of a profile or page, the newest first. */
    'profile/reels': {
      required: {
        /** A public link of Facebook, or a text that holds one; the first link counts. */
        url: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
      },
      list: 'author.reels.contents',
    },
    /** Photos of a profile or page, the newest first. */
    'profile/photos': {
      required: {
        /** A public link of Facebook, or a text that holds one; the first link counts. */
        url: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent with the same other parameters within 15 minutes. */
        nextToken: 'text',
      },
      list: 'author.photos.contents',
    },
  },
  /** TikTok. */
  p4: {
    /** Media and metadata of a video or photo post. */
    'post/details': {
      required: {
        /** Link of a video or photo post; short links work. */
        url: 'text',
      },
      optional: {},
    },
    /** Profile and counts of a user. */
    'user/details': {
      required: {
        /** Link of a profile; short links work. */
        url: 'text',
      },
      optional: {},
    },
  },
  /** Dailymotion. */
  p5: {
    /** Media and metadata of a video. */
    'video/details': {
      required: {
        /** Video id: x… as in the address of the video, or the k… of a private link. */
        videoId: 'text',
      },
      optional: {
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, or a number such as 240, 380,
         * 480, 720, 1080 that stands in the label of a video (hls-720).
         */
        renderableFormats: {
          listOf: ['lowres', 'midres', 'highres', 'all', 'all_highres', '240', '380', '480', '720', '1080'],
          extensible: true,
        },
        /** Country that the request goes out from: an ISO 3166-1 alpha-2 code in any case, or worldwide. */
        countryCode: 'text',
      },
    },
  },
  /** Pinterest. */
  p6: {
    /** Media and metadata of a pin. */
    'pin/details': {
      required: {
        /** Number of the pin, as in its address (31454897393552949), or a link to it, short ones included. */
        pinId: 'text',
      },
      optional: {
        /** Country that the request goes out from: an ISO 3166-1 alpha-2 code in any case, or worldwide. */
        countryCode: 'text',
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, EndpointEntry>>>>;
