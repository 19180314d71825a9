// Made by "npm run docs" from the registry of platforms (src/platforms/index.ts).
import type { EndpointEntry } from './endpoint-entry.ts';

/** The qualities that every platform knows. */
const generalFormats = ['lowres', 'midres', 'highres', 'all', 'all_highres', 'slideshow'] as const;

const renderableFormats = { listOf: [...generalFormats, '144p', '240p', '360p', '480p', '720p', '1080p'] } as const;

const sortBy = ['TOP_COMMENTS', 'NEWEST_FIRST'] as const;

/** The parameters of files to render, which every endpoint with renderable media accepts. */
const renderParameters = {
  /**
   * Comma-separated audio formats to prepare renders for: mp3, m4a, opus, flac, wav, original. original copies the
   * audio without re-encoding it. They count towards the plan after those of renderableFormats.
   */
  renderableAudios: { listOf: ['mp3', 'm4a', 'opus', 'flac', 'wav', 'original'] },
  /**
   * Bit rate of the formats mp3, m4a and opus in renderableAudios: 32 to 320 kbit/s. The audio is then always
   * encoded.
   */
  renderableAudioBitrate: 'number',
  /**
   * Codec of the video of rendered files, which is copied without re-encoding. If no video has it, the items have
   * an error that lists those that exist. The default is the one that most devices play. It cannot be combined
   * with maxSize.
   */
  videoCodec: ['h264', 'h265', 'vp9', 'av1'],
  /**
   * Comma-separated languages of the audio of rendered files, such as de or pt-BR; each becomes a track. They take
   * precedence over lang. If one is not available, the items have an error that lists those that are.
   */
  audioLanguage: { listOf: [], extensible: true },
  /**
   * Part of the media to render, as start-end: 90-150, 1:30-2:30, 90- (to the end) or -150 (from the beginning).
   * Times are seconds, mm:ss or hh:mm:ss, with up to three decimals.
   */
  clip: 'text',
  /**
   * Comma-separated parts to write into rendered files: metadata, chapters, cover, subtitles; or none. The default
   * is metadata,chapters. Only files with video get subtitles.
   */
  embed: { listOf: ['metadata', 'chapters', 'cover', 'subtitles', 'none'] },
  /**
   * Comma-separated languages of the subtitles to embed, which embed then includes by default. Without it,
   * embed=subtitles writes every language that a person wrote captions in.
   */
  subtitleLanguages: { listOf: [], extensible: true },
  /** Title, also in the name, of rendered files, in place of the platform's. Up to 500 characters. */
  tagTitle: 'text',
  /** Artist of rendered files, in place of the platform's. Up to 500 characters. */
  tagArtist: 'text',
  /** Album of rendered files, in place of the platform's. Up to 500 characters. */
  tagAlbum: 'text',
  /** Date of rendered files, in place of the platform's: 2026, 2026-11 or 2026-11-26. */
  tagDate: 'text',
  /** Genre of rendered files, in place of the platform's. Up to 500 characters. */
  tagGenre: 'text',
  /** Comment of rendered files, in place of the platform's. Up to 500 characters. */
  tagComment: 'text',
  /**
   * Maximum size of rendered files in bytes, 65536 to 5000000000. Video and audio that is not known to be smaller
   * is encoded to fit. It does not apply to flac, wav and original.
   */
  maxSize: 'number',
} as const satisfies EndpointEntry['optional'];

const search = {
  required: {
    /** Text to search for, at most 1000 bytes as UTF-8. */
    query: 'text',
  },
  optional: {
    /** Only results published today, or in the last week, month or year. The default is all. */
    uploadDate: ['all', 'today', 'week', 'month', 'year'],
    /** Order of the results: relevance (default) or popularity. */
    prioritize: ['relevance', 'popularity'],
    /** Only videos of this length: all (default), under_three_mins, three_to_twenty_mins, over_twenty_mins. */
    duration: ['all', 'under_three_mins', 'three_to_twenty_mins', 'over_twenty_mins'],
    /**
     * Only videos with all of these features, as a comma-separated list: 360, 3d, 4k, creative_commons, hd, hdr,
     * live, location, purchased, subtitles, vr180.
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
     * Deprecated; use prioritize and uploadDate. view_count means prioritize=popularity. YouTube no longer supports
     * the orders rating and upload_date (since 2026-03). Values: relevance, rating, upload_date, view_count.
     */
    sortBy: ['relevance', 'rating', 'upload_date', 'view_count'],
    /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
    nextToken: 'text',
    /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
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
        /** Video ID, the 11 characters after v= in the video's URL, or a link to the video. */
        videoId: 'text',
      },
      optional: {
        ...renderParameters,
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, slideshow, or a video's label:
         * 144p, 240p, 360p, 480p, 720p, 720p60, 1080p, 1080p60, 1440p, 1440p60, 2160p, 2160p60, or any of these followed
         * by " HDR".
         */
        renderableFormats: {
          listOf: [
            ...generalFormats,
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
        /** normal (default): links to the source; proxied: links through this service. */
        urlAccess: ['normal', 'proxied'],
        /** Whether to return the transcript: true or false (default). */
        getTranscript: 'flag',
        /** Language of the transcript, one of metadata.transcript.languages. The default is the primary track. */
        transcriptLanguage: 'text',
        /**
         * Comma-separated parts of the response to include or, with a leading -, to leave out. Allowed parts: contents,
         * contents.videos, contents.audios, contents.images, contents.renderableVideos, contents.renderableAudios,
         * metadata, metadata.author, metadata.comments, metadata.playlist, metadata.channel, metadata.post,
         * metadata.hashtag, metadata.transcript, metadata.additionalData.
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
        /** Country that the platform request is sent from: a case-insensitive ISO 3166-1 alpha-2 code, or worldwide. */
        countryCode: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
    },
    /** Comments of a video, or replies to a comment. */
    'video/comments': {
      required: {
        /** Video ID, the 11 characters after v= in the video's URL, or a link to the video. */
        videoId: 'text',
      },
      optional: {
        /** Comment ID. If set, the response contains the replies to this comment instead of the video's comments. */
        commentId: 'text',
        /** Sort order of the comments. The default is TOP_COMMENTS. */
        sortBy,
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
      list: 'comments.threads',
    },
    /** Details of a post of a channel. */
    'post/details': {
      required: {
        /** Post ID, the part after /post/ in the post's URL (Ug…), or a link to the post. */
        postId: 'text',
        /**
         * Channel ID (UC and 22 characters), or a link that contains it. To get the ID from a handle, use
         * /channel/id-from-handle.
         */
        channelId: 'text',
      },
      optional: {
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
    },
    /** Comments of a post. */
    'post/comments': {
      required: {
        /** Post ID, the part after /post/ in the post's URL (Ug…), or a link to the post. */
        postId: 'text',
        /**
         * Channel ID (UC and 22 characters), or a link that contains it. To get the ID from a handle, use
         * /channel/id-from-handle.
         */
        channelId: 'text',
      },
      optional: {
        /** Sort order of the comments. The default is TOP_COMMENTS. */
        sortBy,
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
      list: 'comments.threads',
    },
    /** A playlist and its videos. */
    playlist: {
      required: {
        /** Playlist ID, the value of list= in the playlist's URL (PL…, UU…, OLAK5uy_…, RD…), or a link that contains it. */
        playlistId: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
        /** Country that the platform request is sent from: a case-insensitive ISO 3166-1 alpha-2 code, or worldwide. */
        countryCode: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
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
    /** Search suggestions for a partial query. */
    'search/suggestions': {
      required: {
        /** Text to search for, at most 2000 characters. */
        query: 'text',
      },
      optional: {
        /** Text of the previous search, which can affect the suggestions. */
        previousQuery: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
    },
    /** Details of a channel. */
    'channel/details': {
      required: {
        /**
         * Channel ID (UC and 22 characters), or a link that contains it. To get the ID from a handle, use
         * /channel/id-from-handle.
         */
        channelId: 'text',
      },
      optional: {
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
    },
    /** Videos, shorts or live streams of a channel. */
    'channel/videos': {
      required: {
        /**
         * Channel ID (UC and 22 characters), or a link that contains it. To get the ID from a handle, use
         * /channel/id-from-handle.
         */
        channelId: 'text',
        /** Type of items to list: videos, shorts, livestreams. */
        contentType: ['videos', 'shorts', 'livestreams'],
      },
      optional: {
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
      list: 'channel.{contentType}.contents',
    },
    /** Playlists, releases or podcasts of a channel. */
    'channel/playlists': {
      required: {
        /**
         * Channel ID (UC and 22 characters), or a link that contains it. To get the ID from a handle, use
         * /channel/id-from-handle.
         */
        channelId: 'text',
        /** Type of items to list: playlists, releases, podcasts. */
        contentType: ['playlists', 'releases', 'podcasts'],
      },
      optional: {
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
      list: 'channel.{contentType}.contents',
    },
    /** Posts of a channel. */
    'channel/posts': {
      required: {
        /**
         * Channel ID (UC and 22 characters), or a link that contains it. To get the ID from a handle, use
         * /channel/id-from-handle.
         */
        channelId: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
        lang: 'text',
      },
      list: 'channel.posts.contents',
    },
    /** ID of a channel, by handle. */
    'channel/id-from-handle': {
      required: {
        /**
         * Handle of the channel with or without a leading @, its legacy name as user/… or c/…, or a link with one of
         * them.
         */
        handle: 'text',
      },
      optional: {},
    },
    /** Videos under a hashtag. */
    hashtag: {
      required: {
        /** Hashtag with or without #, case-insensitive, of at most 100 characters without spaces, or a link to it. */
        tag: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
        /** Language of the returned texts: a case-insensitive two-letter ISO 639-1 code. */
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
        /** Shortcode in the post's URL, or a link to the post. */
        shortcode: 'text',
      },
      optional: {
        ...renderParameters,
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, slideshow, or 144p, 240p, 360p,
         * 480p, 720p, 1080p.
         */
        renderableFormats,
        /** Country that the platform request is sent from: a case-insensitive ISO 3166-1 alpha-2 code, or worldwide. */
        countryCode: 'text',
      },
    },
    /** An audio track and the reels that use it. */
    'media/audio/details': {
      required: {
        /** Numeric ID of the audio track, or a link to it. */
        audioId: 'text',
      },
      optional: {
        ...renderParameters,
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, slideshow, or 144p, 240p, 360p,
         * 480p, 720p, 1080p.
         */
        renderableFormats,
      },
    },
    /** Profile of an account. */
    'user/profile/details': {
      required: {
        /** Username of the account, without @, or a link to its profile. */
        username: 'text',
      },
      optional: {},
    },
    /** Numeric ID of an account, by username. */
    'user/profile/id-from-username': {
      required: {
        /** Username of the account, without @, or a link to its profile. */
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
        /** A public Facebook link, or a text that contains one. Only the first Facebook link is used. */
        url: 'text',
      },
      optional: {
        ...renderParameters,
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, slideshow, 144p, 240p, 360p,
         * 480p, 720p, 1080p.
         */
        renderableFormats,
      },
    },
    /** Details of a profile or page. */
    'profile/details': {
      required: {
        /** A public Facebook link, or a text that contains one. Only the first Facebook link is used. */
        url: 'text',
      },
      optional: {},
    },
    /** Numeric ID of a profile or page. */
    'profile/id': {
      required: {
        /** A public Facebook link, or a text that contains one. Only the first Facebook link is used. */
        url: 'text',
      },
      optional: {},
    },
    /** The About tab of a profile or page. */
    'profile/about': {
      required: {
        /** A public Facebook link, or a text that contains one. Only the first Facebook link is used. */
        url: 'text',
      },
      optional: {},
    },
    /** Reels of a profile or page, newest first. */
    'profile/reels': {
      required: {
        /** A public Facebook link, or a text that contains one. Only the first Facebook link is used. */
        url: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
        nextToken: 'text',
      },
      list: 'author.reels.contents',
    },
    /** Photos of a profile or page, newest first. */
    'profile/photos': {
      required: {
        /** A public Facebook link, or a text that contains one. Only the first Facebook link is used. */
        url: 'text',
      },
      optional: {
        /** The nextToken of the previous page, sent within 15 minutes with the other parameters unchanged. */
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
        /** Link to a video or photo post, or text that contains one. Short links and IDs of posts are supported. */
        url: 'text',
      },
      optional: {
        ...renderParameters,
        /** Qualities to prepare renders for: lowres, midres, highres, all, all_highres, slideshow. */
        renderableFormats: { listOf: [...generalFormats] },
      },
    },
    /** Profile and counts of a user. */
    'user/details': {
      required: {
        /** Link to a profile, or text that contains one. Short links and `@name` are supported. */
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
        /** Video ID, or a link to the video. The ID is the x… part of the video's URL, or the k… key of a private link. */
        videoId: 'text',
      },
      optional: {
        ...renderParameters,
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, slideshow, or a number from a
         * video's label (hls-720), such as 240, 380, 480, 720 or 1080.
         */
        renderableFormats: { listOf: [...generalFormats, '240', '380', '480', '720', '1080'], extensible: true },
        /** Country that the platform request is sent from: a case-insensitive ISO 3166-1 alpha-2 code, or worldwide. */
        countryCode: 'text',
      },
    },
  },
  /** Pinterest. */
  p6: {
    /** Media and metadata of a pin. */
    'pin/details': {
      required: {
        /** Pin ID, as in the pin's URL (31454897393552949), or a link to the pin. Short links are supported. */
        pinId: 'text',
      },
      optional: {
        ...renderParameters,
        /**
         * Qualities to prepare renders for: lowres, midres, highres, all, all_highres, slideshow, 240p, 360p, 480p,
         * 720p, 1080p.
         */
        renderableFormats: { listOf: [...generalFormats, '240p', '360p', '480p', '720p', '1080p'] },
        /** Country that the platform request is sent from: a case-insensitive ISO 3166-1 alpha-2 code, or worldwide. */
        countryCode: 'text',
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, EndpointEntry>>>>;
