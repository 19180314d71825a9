import type { Fault } from './faults.ts';

/** What a pin is made of. */
export const forms = {
  picture: { about: 'a picture, stored as a story of one page' },
  plain: { about: 'a picture without a story' },
  clip: { about: 'a story of one video' },
  video: { about: 'a video without a story' },
  story: { about: 'a story of three pages: picture, video, picture with words and music' },
  carousel: { about: 'a carousel of three pictures, which the larger set of fields alone tells' },
  gif: { about: 'a moving picture (GIF)' },
} as const;

export type Form = keyof typeof forms;

/** The year whose shape a pin's page has: calls of two names, JSON scripts, or the state of the program. */
export type Generation = '2026' | '2025' | '2024' | '2023';

/** What one pin of the simulated site shows. What is absent is ordinary. */
export interface Scenario {
  /** What it is good for, for people to read. */
  readonly about: string;
  readonly form?: Form;
  readonly generation?: Generation;
  /** What happens in place of an answer of the JSON interface. `regional`: it moves to a host of another country. */
  readonly resource?: Fault | 'gone' | 'signin' | 'regional';
  /**
   * What happens in place of the page. `shell`: its data are missing; `bare`: and its head tells nothing; `flaky`: they
   * are missing at every other time; `abroad`: it moves to a host of another country, and to another number.
   */
  readonly page?: Fault | 'gone' | 'missing' | 'login' | 'shell' | 'bare' | 'flaky' | 'abroad';
  readonly oembed?: Fault | 'missing';
  /** The pin that it was merged into, by its number among the documented ones. */
  readonly mergedInto?: number;
  /** Ending of the original picture. */
  readonly ending?: 'jpg' | 'png' | 'gif';
  /** It has no uploader and no first saver, only who saved it. */
  readonly pinnerOnly?: true;
  readonly embedsVideo?: true;
  readonly captions?: true;
  readonly hidden?: true;
  readonly unsafe?: true;
  readonly deletedStory?: true;
  readonly withoutMedia?: true;
}

/** The JSON interface is closed, so that the page is looked at. */
const closed = { resource: 'throttled' } as const;

/** Everything goes wrong in the same way. */
const everywhere = (fault: Fault) => ({ resource: fault, page: fault, oembed: fault });

/** The documented pins, by the last three digits of their ids. */
const scenariosByNumber: Readonly<Record<number, Scenario>> = {
  101: { about: 'a picture', form: 'picture' },
  102: { about: 'a picture without a story', form: 'plain' },
  103: { about: 'a video of 8 s, as a story of one page', form: 'clip' },
  104: { about: 'a video without a story', form: 'video' },
  105: { about: 'a story: picture, video, picture with words and music', form: 'story' },
  106: { about: 'a carousel of three pictures', form: 'carousel' },
  107: { about: 'a moving picture (GIF)', form: 'gif' },
  108: { about: 'an original that is a PNG', form: 'plain', ending: 'png' },
  109: { about: 'a picture that stands for a video of another site', form: 'plain', embedsVideo: true },
  110: { about: 'a video with captions in English and French', form: 'clip', captions: true },
  111: { about: 'nobody but who saved it', form: 'plain', pinnerOnly: true },
  112: { about: 'was merged into 600000000000000101', mergedInto: 101 },

  201: { about: 'page of 2026, with a story', ...closed, form: 'story', generation: '2026' },
  202: { about: 'page of 2025, with a video', ...closed, form: 'clip', generation: '2025' },
  203: { about: 'page of 2024, with a video', ...closed, form: 'clip', generation: '2024' },
  204: { about: 'page of 2023, with a story', ...closed, form: 'story', generation: '2023' },
  205: { about: 'page whose data are missing every other time', ...closed, page: 'flaky' },
  206: { about: 'page without data: its head tells of the video', ...closed, form: 'clip', page: 'shell' },
  207: { about: 'page that tells nothing: oEmbed does', ...closed, page: 'bare' },
  208: { about: 'page that moves to another country and number', ...closed, page: 'abroad' },
  209: { about: 'page of 2024, with a carousel', ...closed, form: 'carousel', generation: '2024' },
  210: { about: 'the JSON interface moves to a host of another country', resource: 'regional' },
  211: { about: 'the JSON interface wants a user, the page none', resource: 'signin' },
  212: { about: 'the JSON interface is gone, the page is there', resource: 'moved' },
  213: { about: 'the JSON interface breaks off, the page does not', resource: 'half' },
  214: { about: 'the JSON interface drops the connection', resource: 'dropped' },
  215: { about: 'the JSON interface redirects inside', resource: 'inside' },
  216: { about: 'the JSON interface answers 50 MB', resource: 'huge' },
  217: { about: 'the JSON interface never answers', resource: 'silent' },

  301: { about: 'no such pin, as the JSON interface says', resource: 'gone' },
  302: { about: 'no such pin, as the page says', ...closed, page: 'gone' },
  303: { about: 'no such pin: the page answers 404', ...closed, page: 'missing' },
  304: { about: 'no such pin: oEmbed answers 404', ...closed, page: 'bare', oembed: 'missing' },
  305: { about: 'hidden', hidden: true },
  306: { about: 'held back as unsafe', unsafe: true },
  307: { about: 'its story was deleted', deletedStory: true },
  308: {
    about: 'has neither picture nor video yet; its page is down',
    withoutMedia: true,
    page: 'down',
    oembed: 'down',
  },
  309: { about: 'for users who are signed in', resource: 'signin', page: 'login' },

  401: { about: 'answers 429 everywhere', ...everywhere('throttled') },
  402: { about: 'answers 503 everywhere', ...everywhere('down') },
  403: { about: 'a check of the browser with 403 everywhere', ...everywhere('challenged') },
  404: { about: 'a check of the browser with 200 everywhere', ...everywhere('checking') },
  405: { about: 'empty answers everywhere', ...everywhere('empty') },
  406: { about: 'answers break off everywhere', ...everywhere('half') },
  407: { about: '50 MB everywhere', ...everywhere('huge') },
  408: { about: 'never answers anywhere', ...everywhere('silent') },
  409: { about: 'redirects without an end everywhere', ...everywhere('looping') },
  410: { about: 'redirects to another site everywhere', ...everywhere('astray') },
  411: { about: 'redirects inside the network everywhere', ...everywhere('inside') },
  412: { about: 'drops the connection everywhere', ...everywhere('dropped') },
};

/** The id of a documented pin. */
export function documentedId(number: number): string {
  return `600000000000000${number}`;
}

/** The documented ids, and what each one shows. */
export const scenarios: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(scenariosByNumber).map(([number, scenario]) => [documentedId(Number(number)), scenario]),
);

/** Codes of short links, and where they lead; one without a place is answered with its status. */
export const shortLinks: Readonly<
  Record<string, { readonly about: string; readonly location?: string; readonly status?: number }>
> = {
  LabPin1: { about: 'leads to 600000000000000101', location: `/pin/${documentedId(101)}/sent/?invite_code=lab` },
  LabHome: { about: 'leads to the front page', location: '/' },
  LabGone: { about: 'answers 404', status: 404 },
  LabBusy: { about: 'answers 429', status: 429 },
  LabAway: { about: 'leads to another site', location: `https://elsewhere.lab.example/pin/${documentedId(101)}/` },
  LabLoop: { about: 'leads to itself', location: 'https://api.pinterest.com/url_shortener/LabLoop/redirect/' },
};
