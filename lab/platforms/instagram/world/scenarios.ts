/** The ways that lead to a post, in the order in which they are tried. */
export const sources = ['page', 'graphql', 'clips', 'shortcode', 'embed'] as const;
export type Source = (typeof sources)[number];

/** What a page is instead of what was asked for. */
export type PageName =
  | 'shell'
  | 'login'
  | 'login_redirect'
  | 'home_redirect'
  | 'challenge'
  | 'gone'
  | 'error_route'
  | 'private'
  | 'wait'
  | 'feedback'
  | 'other_post'
  | 'broken_json'
  | 'inside'
  | 'outside'
  | 'loop';

/** What one post of the simulated site shows. What is absent is ordinary. */
export interface PostScenario {
  /** What it is good for, for people to read. */
  readonly about: string;
  /** A reel where absent. */
  readonly kind?: 'reel' | 'video' | 'photo' | 'carousel';
  /** The items of a carousel. */
  readonly parts?: readonly PartKind[];
  /** Seconds of its videos; 12 where absent. */
  readonly seconds?: number;
  /** The ways that have it; all where absent. */
  readonly has?: readonly Source[];
  /** What its page is where that has it not; a shell where absent. */
  readonly page?: PageName;
  /** What queries answer that have it not: a page where absent. */
  readonly queries?: 'page' | 'login' | 'wait' | 'gone' | 'null';
  /** What the ruling on it says; that anyone may see it where absent. */
  readonly ruling?: 'restricted' | 'followers';
  /** It stands in its page as gated. */
  readonly gated?: true;
  /** `2024`: its page has the shape of the app's interface. */
  readonly generation?: '2024';
  /** Has a DASH manifest where the shape can do without; `entities`: one that declares an entity. */
  readonly manifest?: 'plain' | 'entities';
  readonly sound?: 'none' | 'song';
  readonly countsHidden?: true;
  /** Has a place, people tagged and a second author, and is paid for. */
  readonly company?: true;
  readonly comments?: true;
  readonly ownerPrivate?: true;
  /** What the page for embedding is like: without its data, or without the file of the video. */
  readonly embed?: 'markup' | 'no_video';
  /** Its page names new numbers of the queries, and no others work. */
  readonly newQueries?: true;
  /** Its page is sent in Latin-1. */
  readonly latin1?: true;
  readonly links?: 'expired';
  /** Faults of the lab's CDN that its links have. */
  readonly faults?: string;
}

export type PartKind = 'photo' | 'video';

const nowhere: readonly Source[] = [];
const mixedKinds: readonly PartKind[] = ['photo', 'video', 'photo', 'video', 'photo'];

/** The documented posts. Any other code of the right form is an ordinary post that follows from it. */
export const scenarios: Readonly<Record<string, PostScenario>> = {
  'lab-reel-30': { about: 'reel of 30 s with a DASH manifest', seconds: 30, manifest: 'plain' },
  'lab-reel-12': { about: 'reel of 12 s, one file named three times, no manifest' },
  'lab-video-1': { about: 'video of the feed', kind: 'video' },
  'lab-photo-1': { about: 'photo', kind: 'photo' },
  'lab-caromix': { about: 'carousel: photo, video, photo, video, photo', kind: 'carousel', parts: mixedKinds },
  'lab-carovid': { about: 'carousel of three videos with manifests', kind: 'carousel', manifest: 'plain', seconds: 4 },
  'lab-song-01': { about: 'reel with a song', sound: 'song' },
  'lab-silent1': { about: 'reel without sound', sound: 'none' },
  'lab-company': { about: 'place, people tagged, a second author, paid for', company: true },
  'lab-comment': { about: 'comments on the page', comments: true },
  'lab-hidden0': { about: 'counts are hidden', countsHidden: true },
  'lab-old2024': { about: 'page of 2024: the app’s shape, manifest, comments', generation: '2024', comments: true },
  'lab-graphql': { about: 'only the query by number has it', has: ['graphql'] },
  'lab-newdocs': {
    about: 'only the query by number has it, with the new number that its page names',
    has: ['graphql'],
    newQueries: true,
  },
  'lab-clipsgo': { about: 'only the query of reels has it', has: ['clips'] },
  'lab-xdtreel': { about: 'only the query by code has it: a reel', has: ['shortcode'], manifest: 'plain' },
  'lab-xdtcaro': {
    about: 'only the query by code has it: a carousel',
    has: ['shortcode'],
    kind: 'carousel',
    parts: mixedKinds,
  },
  'lab-xdthide': {
    about: 'only the query by code has it: a photo, counts hidden',
    has: ['shortcode'],
    kind: 'photo',
    countsHidden: true,
  },
  'lab-embed-1': { about: 'only the page for embedding has it: a video', has: ['embed'] },
  'lab-embed-2': { about: 'only the page for embedding has it: a photo', has: ['embed'], kind: 'photo' },
  'lab-embedno': {
    about: 'only the page for embedding has it, without the file of the video',
    has: ['embed'],
    embed: 'no_video',
  },
  'lab-embed-0': {
    about: 'only the page for embedding has it, without its data',
    has: ['embed'],
    embed: 'markup',
    kind: 'photo',
  },
  'lab-xdtnull': { about: 'the query by code says null, nothing else has it', has: nowhere, queries: 'null' },
  'lab-nullemb': {
    about: 'the query by code says null, the page for embedding has it',
    has: ['embed'],
    queries: 'null',
  },
  'lab-others0': { about: 'its page has another post in its place', has: nowhere, page: 'other_post' },
  'lab-badjson': { about: 'the block of its page is broken JSON', has: nowhere, page: 'broken_json' },
  'lab-latin-1': { about: 'its page is sent in Latin-1', latin1: true },
  'lab-mpd-xml': { about: 'its manifest declares an entity', manifest: 'entities' },
  'lab-gone404': { about: '404', has: nowhere, page: 'gone' },
  'lab-errpage': { about: '200 with the error page', has: nowhere, page: 'error_route' },
  'lab-shell00': { about: 'a page without data, queries answer pages', has: nowhere },
  'lab-wait401': { about: '401: please wait a few minutes', has: nowhere, page: 'wait', queries: 'wait' },
  'lab-feedbck': { about: '400: feedback_required', has: nowhere, page: 'feedback' },
  'lab-challen': { about: 'redirected to a challenge', has: nowhere, page: 'challenge' },
  'lab-loginpg': {
    about: 'the login page everywhere, its ruling names a reason',
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
  'lab-wallone': { about: 'its page is the login page, queries have it', has: ['graphql'], page: 'login' },
  'lab-wallthr': {
    about: 'its page is the login page, queries: please wait',
    has: nowhere,
    page: 'login',
    queries: 'wait',
  },
  'lab-oldids0': { about: 'every query is unknown', has: nowhere, queries: 'gone' },
  'lab-agegate': { about: 'gated: restricted', has: nowhere, gated: true, ruling: 'restricted' },
  'lab-gatedin': { about: 'gated: for some', has: nowhere, gated: true, ruling: 'followers' },
  'lab-privpag': { about: 'the page of a private post', has: nowhere, page: 'private' },
  'lab-privown': { about: 'its owner is private', ownerPrivate: true },
  'lab-inside0': { about: 'redirected to http://169.254.169.254/', has: nowhere, page: 'inside' },
  'lab-outside': { about: 'redirected to another host', has: nowhere, page: 'outside' },
  'lab-loop-00': { about: 'redirected to itself for ever', has: nowhere, page: 'loop' },
  'lab-expired': { about: 'its links are over: 403', links: 'expired', manifest: 'plain' },
  'lab-med-403': { about: 'its files answer 403', faults: 'status=403' },
  'lab-med-slo': { about: 'its files come at 64 kB a second', faults: 'throttle=64000' },
};
