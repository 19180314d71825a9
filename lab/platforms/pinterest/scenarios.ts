import type { Fault } from './faults.ts';

/** Forms of a pin. */
export const forms = {
  picture: { about: 'an image, stored as a story of one page' },
  plain: { about: 'an image without a story' },
  clip: { about: 'a story of one video' },
  video: { about: 'a video without a story' },
  story: { about: 'a story of three pages: image, video, image with text and music' },
  carousel: { about: 'a carousel of three images, available only in the larger set of fields' },
  gif: { about: 'an animated image (GIF)' },
} as const;

export type Form = keyof typeof forms;

/**
 * Year of a page's shape. Its data is in script calls (2026 and 2025, with different query names), in JSON scripts
 * (2024), or in the initial state of the program (2023).
 */
export type Generation = '2026' | '2025' | '2024' | '2023';

/** Scenario of one pin on the simulated site. Absent members mean ordinary behaviour. */
export interface Scenario {
  /** Purpose of the scenario, for people. */
  readonly about: string;
  readonly form?: Form;
  readonly generation?: Generation;
  /** Replacement of the JSON interface's response. `regional`: redirects to a host of another country. */
  readonly resource?: Fault | 'gone' | 'signin' | 'regional';
  /**
   * Replacement of the page. `shell`: without the pin's data; `bare`: also without a description in the head; `flaky`:
   * without data at every other request; `abroad`: redirects to a host of another country, and to another number.
   */
  readonly page?: Fault | 'gone' | 'missing' | 'login' | 'shell' | 'bare' | 'flaky' | 'abroad';
  readonly oembed?: Fault | 'missing';
  /** Number of the documented pin that this pin was merged into. */
  readonly mergedInto?: number;
  /** File extension of the original image. */
  readonly ending?: 'jpg' | 'png' | 'gif';
  /** Has no uploader and no first saver, only the user who saved it. */
  readonly pinnerOnly?: true;
  readonly embedsVideo?: true;
  readonly captions?: true;
  /** Text at the end of its description. */
  readonly words?: string;
  readonly hidden?: true;
  readonly unsafe?: true;
  readonly deletedStory?: true;
  readonly withoutMedia?: true;
  /** Its story also has a block of a kind that no program knows. */
  readonly unknownBlock?: true;
  /** Its media are in members that no program knows. */
  readonly renamed?: true;
}

/** Closes the JSON interface, so that clients request the page. */
const closed = { resource: 'throttled' } as const;

/** Applies the same fault to everything. */
const everywhere = (fault: Fault) => ({ resource: fault, page: fault, oembed: fault });

/** The documented pins, by the last three digits of their IDs. */
const scenariosByNumber: Readonly<Record<number, Scenario>> = {
  101: { about: 'a picture', form: 'picture' },
  102: { about: 'an image without a story', form: 'plain' },
  103: { about: 'a video of 8 s, as a story of one page', form: 'clip' },
  104: { about: 'a video without a story', form: 'video' },
  105: { about: 'a story: image, video, image with text and music', form: 'story' },
  106: { about: 'a carousel of three images', form: 'carousel' },
  107: { about: 'an animated image (GIF)', form: 'gif' },
  108: { about: 'an original that is a PNG', form: 'plain', ending: 'png' },
  109: { about: 'an image that represents a video of another site', form: 'plain', embedsVideo: true },
  110: { about: 'a video with captions in English and French', form: 'clip', captions: true },
  111: { about: 'only the user who saved it', form: 'plain', pinnerOnly: true },
  112: { about: 'was merged into 600000000000000101', mergedInto: 101 },
  113: { about: 'a story with a block of an unknown kind', form: 'story', unknownBlock: true },
  114: { about: 'an image with a description in several scripts', form: 'plain', words: 'शुभ #हिन्दी #ไทย @some_one' },

  201: { about: 'page of 2026, with a story', ...closed, form: 'story', generation: '2026' },
  202: { about: 'page of 2025, with a video', ...closed, form: 'clip', generation: '2025' },
  203: { about: 'page of 2024, with a video', ...closed, form: 'clip', generation: '2024' },
  204: { about: 'page of 2023, with a story', ...closed, form: 'story', generation: '2023' },
  205: { about: 'page without data at every other request', ...closed, page: 'flaky' },
  206: { about: 'page without data: its head describes the video', ...closed, form: 'clip', page: 'shell' },
  207: { about: 'page without any description: oEmbed has it', ...closed, page: 'bare' },
  208: { about: 'page that redirects to another country and number', ...closed, page: 'abroad' },
  209: { about: 'page of 2024, with a carousel', ...closed, form: 'carousel', generation: '2024' },
  210: { about: 'the JSON interface redirects to a host of another country', resource: 'regional' },
  211: { about: 'the JSON interface requires a user, the page does not', resource: 'signin' },
  212: { about: 'the JSON interface has no data, the page does', resource: 'moved' },
  213: { about: 'the JSON interface is truncated, the page is not', resource: 'half' },
  214: { about: 'the JSON interface drops the connection', resource: 'dropped' },
  215: { about: 'the JSON interface redirects to an address inside the network', resource: 'inside' },
  216: { about: 'the JSON interface returns 64 MB', resource: 'huge' },
  217: { about: 'the JSON interface never responds', resource: 'silent' },

  301: { about: 'no such pin, as reported by the JSON interface', resource: 'gone' },
  302: { about: 'no such pin, as reported by the page', ...closed, page: 'gone' },
  303: { about: 'no such pin: the page returns 404', ...closed, page: 'missing' },
  304: { about: 'no such pin: oEmbed returns 404', ...closed, page: 'bare', oembed: 'missing' },
  305: { about: 'hidden', hidden: true },
  306: { about: 'blocked as unsafe', unsafe: true },
  307: { about: 'its story was deleted', deletedStory: true },
  308: {
    about: 'has neither an image nor a video yet; its page is down',
    withoutMedia: true,
    page: 'down',
    oembed: 'down',
  },
  309: { about: 'only for signed-in users', resource: 'signin', page: 'login' },
  310: {
    about: 'its media are in members that no program knows; its page is down',
    form: 'plain',
    renamed: true,
    page: 'down',
    oembed: 'down',
  },

  401: { about: 'returns 429 everywhere', ...everywhere('throttled') },
  402: { about: 'returns 503 everywhere', ...everywhere('down') },
  403: { about: 'a browser check with 403 everywhere', ...everywhere('challenged') },
  404: { about: 'a browser check with 200 everywhere', ...everywhere('checking') },
  405: { about: 'empty responses everywhere', ...everywhere('empty') },
  406: { about: 'truncated responses everywhere', ...everywhere('half') },
  407: { about: '64 MB everywhere', ...everywhere('huge') },
  408: { about: 'never responds anywhere', ...everywhere('silent') },
  409: { about: 'redirects without end everywhere', ...everywhere('looping') },
  410: { about: 'redirects to another site everywhere', ...everywhere('astray') },
  411: { about: 'redirects everywhere to an address inside the network', ...everywhere('inside') },
  412: { about: 'drops the connection everywhere', ...everywhere('dropped') },
};

/** Returns the ID of a documented pin. */
export function documentedId(number: number): string {
  return `600000000000000${number}`;
}

/** The documented IDs with their scenarios. */
export const scenarios: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(scenariosByNumber).map(([number, scenario]) => [documentedId(Number(number)), scenario]),
);

/** Codes of short links with their targets; a code without a target returns its status. */
export const shortLinks: Readonly<
  Record<string, { readonly about: string; readonly location?: string; readonly status?: number }>
> = {
  LabPin1: { about: 'leads to 600000000000000101', location: `/pin/${documentedId(101)}/sent/?invite_code=lab` },
  LabHome: { about: 'leads to the front page', location: '/' },
  LabGone: { about: 'returns 404', status: 404 },
  LabBusy: { about: 'returns 429', status: 429 },
  LabAway: { about: 'leads to another site', location: `https://elsewhere.lab.example/pin/${documentedId(101)}/` },
  LabLoop: { about: 'leads to itself', location: 'https://api.pinterest.com/url_shortener/LabLoop/redirect/' },
};
