/** Scenario of one video on the simulated site. Absent members mean ordinary behaviour. */
export interface Scenario {
  /** Purpose of the scenario, for people. */
  readonly about: string;
  /** Title in every language. */
  readonly title?: string;
  /** Duration in seconds; default 30. */
  readonly seconds?: number;
  /** Its files are as large as those of a film: 3.5 Mbit/s, and only 720p and AAC. */
  readonly isLarge?: true;
  /** Has 1080p even if it is longer than 30 seconds. */
  readonly isFullHd?: true;
  /** Generation of its pages' shapes; default the newest. */
  readonly generation?: Generation;
  readonly kind?: VideoKind;
  /** Reason why it is not playable; see `responses/playability.ts`. */
  readonly refusal?: RefusalName;
  /** Upper-case codes of the countries in which it is playable. */
  readonly onlyIn?: readonly string[];
  /** Upper-case codes of the countries in which it is not playable. */
  readonly notIn?: readonly string[];
  /** State of a live stream. */
  readonly live?: 'on_air' | 'upcoming' | 'ended';
  /** Languages of its audio besides the original English. */
  readonly dubLanguages?: readonly string[];
  /** Has formats that are labelled HDR. */
  readonly hdr?: true;
  /** Its 720p has 60 frames per second. */
  readonly sixty?: true;
  /**
   * `none`: no captions. `empty`: captions that return 200 with an empty body. `many`: in more languages than others.
   */
  readonly captions?: 'none' | 'empty' | 'many';
  readonly chapters?: true;
  readonly collaborators?: true;
  readonly noComments?: true;
  readonly noLikes?: true;
  /** Its links have expired, or are valid only for the User-Agent or the exit that requested them. */
  readonly links?: 'expired' | 'same_agent' | 'same_exit';
  /** Faults of the lab's CDN in the links of its files. Its HLS has none. */
  readonly faults?: string;
  /** Has no HLS. */
  readonly filesOnly?: true;
  /** Failing endpoint, for a fault of only one endpoint. */
  readonly brokenEndpoint?: 'next' | 'web';
}

export type Generation = 'new' | 'old';
export type VideoKind = 'video' | 'short' | 'stream' | 'movie';

export type RefusalName =
  | 'private'
  | 'removed'
  | 'account'
  | 'age'
  | 'members'
  | 'premium'
  | 'payment'
  | 'bot'
  | 'bot_once'
  | 'sign_in'
  | 'kids'
  | 'no_links'
  | 'other_video';

/** A title whose accents, emoji and Persian and Hindi words each consist of several codes. */
const joinedTitle = 'Café \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f1eb}\u{1f1f7} می\u200cخواهم क्\u200dष';

/** The documented videos. All belong to the first channel, or to the second if their shapes are old. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'lab-plain30': { about: '30 s: 144p to 1080p as MP4, 360p as WebM' },
  jNQXAC9IVRw: { about: 'the same, under the ID of the example on the page' },
  'lab-old-30s': { about: 'the same with the shapes of 2024 and before on its pages', generation: 'old' },
  'lab-min-002': { about: '2 s', seconds: 2 },
  'lab-hd-2min': { about: '2 minutes with 1080p and three chapters', seconds: 120, isFullHd: true, chapters: true },
  'lab-ten-min': { about: '10 minutes', seconds: 600 },
  'lab-1-giga0': { about: '35 minutes of 720p in 1.04 GB', seconds: 2100, isLarge: true },
  'lab-a-short': { about: 'a short', seconds: 12, kind: 'short' },
  'lab-60fps-1': { about: '720p60', sixty: true },
  'lab-hdr-vp9': { about: 'a 360p that is labelled HDR besides the ordinary one', hdr: true },
  'lab-dubbed1': {
    about: 'original English audio, and automatic German and French dubs',
    dubLanguages: ['de', 'fr'],
  },
  'lab-chapter': { about: 'three chapters', chapters: true },
  'lab-feature': {
    about: 'chapters, audio in five languages, captions in seven, 720p60 and HDR',
    chapters: true,
    dubLanguages: ['de', 'fr', 'es', 'ja'],
    captions: 'many',
    sixty: true,
    hdr: true,
  },
  'lab-named-1': {
    about: 'a title with an emoji family, a flag and words with joiners',
    seconds: 2,
    title: joinedTitle,
  },
  'lab-named-2': { about: 'the same title in another form', seconds: 2, title: joinedTitle.normalize('NFD') },
  'lab-named-3': { about: 'the same title in capitals', seconds: 2, title: joinedTitle.toUpperCase() },
  'lab-collab2': { about: 'made by two channels', collaborators: true },
  'lab-no-talk': { about: 'comments are turned off', noComments: true },
  'lab-no-like': { about: 'likes are hidden', noLikes: true },
  'lab-capt-no': { about: 'no captions', captions: 'none' },
  'lab-captxpe': { about: 'captions that return 200 with an empty body', captions: 'empty' },
  'lab-live-on': { about: 'live', kind: 'stream', live: 'on_air', seconds: 60 },
  'lab-live-up': { about: 'a stream that begins tomorrow', kind: 'stream', live: 'upcoming' },
  'lab-live-ex': { about: 'a stream that has ended', kind: 'stream', live: 'ended' },
  'lab-private': { about: 'private', refusal: 'private' },
  'lab-removed': { about: 'removed', refusal: 'removed' },
  'lab-account': { about: 'its account was terminated', refusal: 'account' },
  'lab-agegate': { about: 'behind the age gate', refusal: 'age' },
  'lab-members': { about: 'for members of the channel', refusal: 'members' },
  'lab-premium': { about: 'for Music Premium members', refusal: 'premium' },
  'lab-payfilm': { about: 'a film that must be paid for', refusal: 'payment', kind: 'movie' },
  'lab-sign-in': { about: 'requires signing in', refusal: 'sign_in' },
  'lab-botwall': { about: 'requires every visitor to confirm that they are not a bot', refusal: 'bot' },
  'lab-botonce': {
    about: 'the same for the first visitor of each app client; a new one can play it',
    refusal: 'bot_once',
  },
  'lab-kids-00': { about: 'made for kids: VISIONOS refuses, the reel plays', refusal: 'kids' },
  'lab-sabr-00': { about: 'playable, but no format has a link', refusal: 'no_links' },
  'lab-wrongid': { about: 'the player returns another video', refusal: 'other_video' },
  'lab-geo-fr1': { about: 'playable in FR and BE only', onlyIn: ['FR', 'BE'] },
  'lab-geo-us0': { about: 'not playable in the US', notIn: ['US'] },
  'lab-expired': { about: 'expired media links: 403', links: 'expired' },
  'lab-ua-only': { about: 'media only for the User-Agent that requested the player', links: 'same_agent' },
  'lab-ip-only': { about: 'media only for the exit (country) that requested the player', links: 'same_exit' },
  'lab-med-403': { about: 'media returns 403', faults: 'status=403' },
  'lab-med-503': { about: 'media returns 503', faults: 'status=503' },
  'lab-med-cut': { about: 'media connections break once, at byte 20000', faults: 'cutOnce=20000' },
  'lab-med-slo': { about: 'media is sent at 64 kB per second', faults: 'throttle=64000' },
  'lab-med-end': { about: 'media connections send nothing after byte 20000', faults: 'stall=20000' },
  'lab-all-403': failingMedia('all media returns 403', 'status=403'),
  'lab-all-503': failingMedia('all media returns 503', 'status=503'),
  'lab-all-cut': failingMedia('all media connections break at byte 20000', 'cut=20000'),
  'lab-all-web': failingMedia('all media is a web page with status 200', 'html=1'),
  'lab-all-txt': failingMedia('all media is a text with the type of media', 'instead=text'),
  'lab-all-3rd': failingMedia('all media is complete after less than a third', 'instead=third'),
  'lab-all-not': failingMedia('media never arrives', 'hang=1'),
  'lab-all-big': failingMedia('all media declares a terabyte', 'noRanges=1&length=1000000000000'),
  'lab-all-int': failingMedia('all media redirects to an internal address', 'redirectTo=http://169.254.169.254/'),
  'lab-next503': { about: 'the watch page returns 503', brokenEndpoint: 'next' },
  'lab-web-503': { about: 'the WEB player returns 503', brokenEndpoint: 'web' },
};

/** Returns the scenario of a short video that has only files, all with faults. */
function failingMedia(about: string, faults: string): Scenario {
  return { about, seconds: 2, filesOnly: true, faults };
}

/** Special behaviour of a channel. */
export interface ChannelScenario {
  readonly about: string;
  readonly name?: string;
  readonly handle?: string;
  readonly generation?: Generation;
  readonly videos?: number;
  /** Only the first tab has content. */
  readonly empty?: true;
  readonly refusal?: 'terminated' | 'age';
}

/** The documented channels by number. */
export const channelScenarios: readonly ChannelScenario[] = [
  { about: 'ordinary, in the newest shapes', name: 'The Lab', handle: 'thelab', generation: 'new', videos: 95 },
  { about: 'ordinary, in older shapes', name: 'The Old Lab', handle: 'theoldlab', generation: 'old', videos: 95 },
  { about: 'has no content on any tab', name: 'The Empty Lab', handle: 'theemptylab', empty: true },
  { about: 'terminated', refusal: 'terminated' },
  { about: 'behind the age gate', refusal: 'age' },
  { about: 'a thousand videos', name: 'The Big Lab', handle: 'thebiglab', videos: 1000 },
];
