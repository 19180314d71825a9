/** Wall that replaces the page of a post or a user. */
export type Wall =
  | 'check'
  | 'check_old'
  | 'captcha'
  | 'shell'
  | 'live'
  | 'renamed'
  | 'login'
  | 'nudge'
  | 'forbidden'
  | 'broken'
  | 'moved';

/** Scenario of one post on the simulated site. Absent members mean ordinary behaviour. */
export interface Scenario {
  /** Purpose of the scenario, for people. */
  readonly about: string;
  readonly kind?: 'video' | 'photo';
  /** Duration in seconds; default 12. */
  readonly seconds?: number;
  /** `new`: encodes and exact counts on the page for desktops. `old`: neither, as before 2023. */
  readonly shape?: 'new' | 'old';
  /** Name of its author; default the first user. */
  readonly author?: string;
  /** The page for phones is the streamed one, which has comments. */
  readonly streamed?: true;
  /** Its encodes have no dimensions, as in posts of 2020. */
  readonly unsized?: true;
  /** The second of its photos is an entry of an unknown kind. */
  readonly oddPhoto?: true;
  /** Lists a VVC file, a file without audio, and a file with a watermark. */
  readonly oddFiles?: true;
  /**
   * `part`: the played part of the music replaces the video. `untold`: the link of the music does not identify the
   * file's type.
   */
  readonly sound?: 'part' | 'untold';
  readonly desktop?: Wall;
  readonly mobile?: Wall;
  /** Only every third request for its page succeeds; the others get the check. */
  readonly seldom?: true;
  /** Status of its pages with its text. */
  readonly status?: readonly [code: number, words: string];
  /** Upper-case codes of the countries in which it is available. */
  readonly onlyIn?: readonly string[];
  /** Fault of its details. */
  readonly detail?: 'classified' | 'no_files' | 'other_post' | 'new_kind';
  /** Its media links have expired. */
  readonly expired?: true;
  /** Faults of the lab's CDN in its media links. */
  readonly faults?: string;
}

/**
 * Returns the ID of the documented post with the given number. All these IDs contain the same creation time in their
 * upper bits.
 */
export function documentedId(number: number): string {
  return `${7_559_142_440_960_000_000n + BigInt(number)}`;
}

/** Target of redirected media: a file that is available to every client. */
const elsewhere = 'https://cdn.lab.example/media/amber-2/movie-144.mp4?token=p4-elsewhere';

const both = (wall: Wall) => ({ desktop: wall, mobile: wall });
const refusedItem = (about: string, code: number, words: string): Scenario => ({ about, status: [code, words] });

const scenariosByNumber: Readonly<Record<number, Scenario>> = {
  1: { about: 'a video of 12 s with four files and subtitles' },
  2: { about: 'a video of 2 s with two files', seconds: 2 },
  3: { about: 'three photos with music, comments on the page for phones', kind: 'photo', streamed: true },
  4: { about: 'three photos with the played part of their music', kind: 'photo', sound: 'part' },
  5: { about: 'three photos with music whose link does not identify its type', kind: 'photo', sound: 'untold' },
  6: { about: 'a VVC file, a file without audio, a file with a watermark', seconds: 2, oddFiles: true },
  7: { about: 'the shape of 2022: one file, rounded counts', seconds: 2, shape: 'old' },
  8: { about: 'a video by `labembed`', seconds: 2, author: 'labembed' },
  9: { about: 'the shape of 2020: encodes without dimensions', seconds: 2, unsized: true },
  10: { about: 'two photos and an entry of an unknown kind', kind: 'photo', oddPhoto: true },
  21: { about: 'desktops get the check of the firewall, phones the post', seconds: 2, desktop: 'check' },
  22: {
    about: 'desktops get the older check, phones the streamed page',
    seconds: 2,
    desktop: 'check_old',
    streamed: true,
  },
  23: { about: 'desktops get a captcha, phones the post', seconds: 2, desktop: 'captcha' },
  24: { about: 'desktops get a page without data, phones the post', seconds: 2, desktop: 'shell' },
  25: { about: 'desktops get 403, phones the post', seconds: 2, desktop: 'forbidden' },
  26: { about: 'available to desktops only under the name in its own page', seconds: 2, desktop: 'renamed' },
  27: { about: 'desktops are redirected to a login page once, then get the post', seconds: 2, desktop: 'nudge' },
  28: { about: 'desktops get truncated data, phones the post', seconds: 2, desktop: 'broken' },
  29: { about: 'every third request for its page succeeds', seconds: 2, seldom: true },
  30: { about: 'desktops get the details under a new name, phones the post', seconds: 2, desktop: 'moved' },
  31: { about: 'everyone gets the check; oEmbed describes the post', ...both('check') },
  32: { about: 'everyone gets a captcha', ...both('captcha') },
  33: { about: 'everyone gets a page without data', ...both('shell') },
  34: { about: 'everyone gets the page of a live stream', ...both('live') },
  35: { about: 'everyone gets 403', ...both('forbidden') },
  36: { about: 'everyone is redirected to a login page', ...both('login') },
  37: { about: 'everyone gets truncated data', ...both('broken') },
  38: { about: 'everyone gets the details under a new name', ...both('moved') },
  41: refusedItem('does not exist', 10204, "item doesn't exist"),
  42: refusedItem('deleted', 10204, 'status_deleted'),
  43: refusedItem('10204 without text', 10204, ''),
  44: refusedItem('only for its author', 10204, 'status_self_see'),
  45: refusedItem('under review', 10204, 'status_reviewing'),
  46: refusedItem('rejected', 10204, 'status_audit_not_pass'),
  47: refusedItem('not available across borders', 10204, 'cross_border_violation'),
  48: refusedItem('not available where its music is protected', 10204, 'copyright_geo_filter'),
  49: refusedItem('not available where its author is not', 10204, 'person_geo_fencing'),
  50: refusedItem('a private post', 10216, 'private post'),
  51: refusedItem('of a private account', 10222, 'private account'),
  52: refusedItem('for adult users', 10204, 'content_classification'),
  53: refusedItem('an undocumented status', 10101, 'status_of_the_lab'),
  54: { about: 'available in FR and BE only (10231)', seconds: 2, onlyIn: ['FR', 'BE'] },
  55: { about: 'for adult users: no video in its details', detail: 'classified' },
  56: { about: 'its details contain no file', detail: 'no_files' },
  57: { about: 'the details are of another post', detail: 'other_post' },
  58: { about: 'its details contain neither a video nor photos, but a new kind of item', detail: 'new_kind' },
  61: { about: 'media returns 403', seconds: 2, faults: 'status=403' },
  62: { about: 'media is a web page with status 200', seconds: 2, faults: 'html=1' },
  63: { about: 'expired media links', seconds: 2, expired: true },
  64: { about: 'media connections break once, at byte 5000', seconds: 2, faults: 'cutOnce=5000' },
  65: {
    about: 'media is redirected to another host',
    seconds: 2,
    faults: `redirectTo=${encodeURIComponent(elsewhere)}`,
  },
};

/** The documented posts. Any other ID of the right form is an ordinary post derived from the ID. */
export const scenarios: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(scenariosByNumber).map(([number, scenario]) => [documentedId(Number(number)), scenario]),
);
