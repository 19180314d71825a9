/** Sources of a post, in the order in which they are tried. */
export const sources = ['page', 'graphql', 'clips', 'shortcode', 'embed'] as const;
export type Source = (typeof sources)[number];

/** Pages that replace the requested one. */
export type PageName =
  | 'shell'
  | 'login'
  | 'login_redirect'
  | 'home_redirect'
  | 'challenge'
  | 'gone'
  | 'error_route'
  | 'private'
  | 'private_media'
  | 'login_required'
  | 'wait'
  | 'feedback'
  | 'other_post'
  | 'broken_json'
  | 'inside'
  | 'outside'
  | 'loop';

/** Scenario of one post on the simulated site. Absent members mean ordinary behaviour. */
export interface PostScenario {
  /** Purpose of the scenario, for people. */
  readonly about: string;
  /** Kind of post; default reel. */
  readonly kind?: 'reel' | 'video' | 'photo' | 'carousel';
  /** Items of a carousel. */
  readonly parts?: readonly PartKind[];
  /** Duration of its videos in seconds; default 12. */
  readonly seconds?: number;
  /** Sources that return it; all if absent. */
  readonly has?: readonly Source[];
  /** Page that the site sends if the source `page` does not return the post; default a page without data. */
  readonly page?: PageName;
  /** Response of the queries that do not return it; default a page. */
  readonly queries?: 'page' | 'login' | 'wait' | 'gone' | 'null' | 'login_required';
  /** Ruling on the post; by default anyone may see the post. */
  readonly ruling?: 'restricted' | 'followers';
  /** Its page marks it as gated. */
  readonly gated?: true;
  /** `2024`: its page has the shape of the app's interface. */
  readonly generation?: '2024';
  /** Has a DASH manifest, even in shapes that only sometimes have one; `entities`: the manifest declares an entity. */
  readonly manifest?: 'plain' | 'entities';
  readonly sound?: 'none' | 'song';
  readonly countsHidden?: true;
  /** Has a location, tagged people and a second author, and is a paid partnership. */
  readonly company?: true;
  readonly comments?: true;
  readonly ownerPrivate?: true;
  /**
   * Fault of the embed page: without its data, without the file of the video, or with the message that the link may be
   * broken or the post removed.
   */
  readonly embed?: 'markup' | 'no_video' | 'broken';
  /** Its page names new query numbers, and only these work. The query of reels also requires a new flag. */
  readonly newQueries?: true;
  /** Its data is of an unknown kind: one item of the carousel, or the whole post. */
  readonly unknown?: 'item' | 'post';
  /** Its page is sent in Latin-1. */
  readonly latin1?: true;
  readonly links?: 'expired';
  /** Faults of the lab's CDN in its links. */
  readonly faults?: string;
}

export type PartKind = 'photo' | 'video';

const nowhere: readonly Source[] = [];
const mixedKinds: readonly PartKind[] = ['photo', 'video', 'photo', 'video', 'photo'];

/** The documented posts. Any other code of the right form is an ordinary post derived from the code. */
export const scenarios: Readonly<Record<string, PostScenario>> = {
  'lab-reel-30': { about: 'reel of 30 s with a DASH manifest', seconds: 30, manifest: 'plain' },
  'lab-reel-12': { about: 'reel of 12 s, one file listed three times, no manifest' },
  'lab-video-1': { about: 'video in the feed', kind: 'video' },
  'lab-photo-1': { about: 'photo', kind: 'photo' },
  'lab-caroten': {
    about: 'carousel of ten: photos and short videos',
    kind: 'carousel',
    parts: [...mixedKinds, ...mixedKinds],
    seconds: 4,
  },
  'lab-caromix': { about: 'carousel: photo, video, photo, video, photo', kind: 'carousel', parts: mixedKinds },
  'lab-carovid': { about: 'carousel of three videos with manifests', kind: 'carousel', manifest: 'plain', seconds: 4 },
  'lab-song-01': { about: 'reel with a song', sound: 'song' },
  'lab-silent1': { about: 'reel without audio', sound: 'none' },
  'lab-company': { about: 'location, tagged people, a second author, a paid partnership', company: true },
  'lab-comment': { about: 'comments on the page', comments: true },
  'lab-hidden0': { about: 'counts are hidden', countsHidden: true },
  'lab-old2024': { about: 'page of 2024: the app’s shape, manifest, comments', generation: '2024', comments: true },
  'lab-graphql': { about: 'available only from the query by number', has: ['graphql'] },
  'lab-newdocs': {
    about: 'available only from the query by number, with the new number that its page names',
    has: ['graphql'],
    newQueries: true,
  },
  'lab-newclip': {
    about: 'available only from the query of reels, with the new number and flag that its page names',
    has: ['clips'],
    newQueries: true,
  },
  'lab-clipsgo': { about: 'available only from the query of reels', has: ['clips'] },
  'lab-xdtreel': { about: 'available only from the query by code: a reel', has: ['shortcode'], manifest: 'plain' },
  'lab-xdtcaro': {
    about: 'available only from the query by code: a carousel',
    has: ['shortcode'],
    kind: 'carousel',
    parts: mixedKinds,
  },
  'lab-xdthide': {
    about: 'available only from the query by code: a photo, counts hidden',
    has: ['shortcode'],
    kind: 'photo',
    countsHidden: true,
  },
  'lab-embed-1': { about: 'available only from the embed page: a video', has: ['embed'] },
  'lab-embed-2': { about: 'available only from the embed page: a photo', has: ['embed'], kind: 'photo' },
  'lab-embedno': {
    about: 'available only from the embed page, without the file of the video',
    has: ['embed'],
    embed: 'no_video',
  },
  'lab-embed-0': {
    about: 'available only from the embed page, without its data',
    has: ['embed'],
    embed: 'markup',
    kind: 'photo',
  },
  'lab-xdtnull': {
    about: 'the query by code returns null, as it does for public posts; no other source has it',
    has: nowhere,
    queries: 'null',
  },
  'lab-nullemb': {
    about: 'the query by code returns null, the embed page has it',
    has: ['embed'],
    queries: 'null',
  },
  'lab-embgone': {
    about: 'the embed page says that the post may have been removed, no other source has it',
    has: nowhere,
    embed: 'broken',
  },
  'lab-newkind': {
    about: 'carousel of three items, one of which is of an unknown kind',
    kind: 'carousel',
    parts: ['photo', 'photo', 'photo'],
    unknown: 'item',
  },
  'lab-newpost': {
    about: 'its page contains it in an unknown format, no other source has it',
    has: ['page'],
    unknown: 'post',
  },
  'lab-log-403': {
    about: '403: login_required, queries too',
    has: nowhere,
    page: 'login_required',
    queries: 'login_required',
  },
  'lab-pri-403': { about: '403: private_media', has: nowhere, page: 'private_media' },
  'lab-others0': { about: 'its page contains another post instead', has: nowhere, page: 'other_post' },
  'lab-badjson': { about: 'the data block of its page is broken JSON', has: nowhere, page: 'broken_json' },
  'lab-latin-1': { about: 'its page is sent in Latin-1', latin1: true },
  'lab-mpd-xml': { about: 'its manifest declares an entity', manifest: 'entities' },
  'lab-gone404': { about: '404', has: nowhere, page: 'gone' },
  'lab-errpage': { about: '200 with the error page', has: nowhere, page: 'error_route' },
  'lab-shell00': { about: 'a page without data, queries return pages', has: nowhere },
  'lab-wait401': { about: '401: please wait a few minutes', has: nowhere, page: 'wait', queries: 'wait' },
  'lab-feedbck': { about: '400: feedback_required', has: nowhere, page: 'feedback' },
  'lab-challen': { about: 'redirected to a challenge', has: nowhere, page: 'challenge' },
  'lab-loginpg': {
    about: 'the login page everywhere, its ruling gives a reason',
    has: nowhere,
    page: 'login',
    queries: 'login',
    ruling: 'followers',
  },
  'lab-wallall': {
    about: 'redirected to the login page, its ruling allows it',
    has: nowhere,
    page: 'login_redirect',
    queries: 'login',
  },
  'lab-to-home': {
    about: 'redirected to /',
    has: nowhere,
    page: 'home_redirect',
    queries: 'login',
    ruling: 'restricted',
  },
  'lab-wallone': { about: 'its page is the login page, queries return it', has: ['graphql'], page: 'login' },
  'lab-wallthr': {
    about: 'its page is the login page, queries: please wait',
    has: nowhere,
    page: 'login',
    queries: 'wait',
  },
  'lab-oldids0': { about: 'every query number is unknown', has: nowhere, queries: 'gone' },
  'lab-agegate': { about: 'gated: restricted', has: nowhere, gated: true, ruling: 'restricted' },
  'lab-gatedin': { about: 'gated: only for some accounts', has: nowhere, gated: true, ruling: 'followers' },
  'lab-privpag': { about: 'the page of a private post', has: nowhere, page: 'private' },
  'lab-privown': { about: 'its owner is private', ownerPrivate: true },
  'lab-inside0': { about: 'redirected to http://169.254.169.254/', has: nowhere, page: 'inside' },
  'lab-outside': { about: 'redirected to another host', has: nowhere, page: 'outside' },
  'lab-loop-00': { about: 'redirected to itself without end', has: nowhere, page: 'loop' },
  'lab-expired': { about: 'its links have expired: 403', links: 'expired', manifest: 'plain' },
  'lab-med-403': { about: 'its files return 403', faults: 'status=403' },
  'lab-med-slo': { about: 'its files are sent at 64 kB per second', faults: 'throttle=64000' },
};
