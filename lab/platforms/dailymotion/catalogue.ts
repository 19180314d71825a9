import { type Title, titleFor } from '../../media/titles.ts';
import { titleOfItem } from '../headlines.ts';
import { sign } from '../signature.ts';
import type { VariantName } from './variants.ts';

/** Scenario of one video on the simulated site. Absent members mean ordinary behaviour. */
export interface Scenario {
  /** Purpose of the scenario, for people. */
  readonly about: string;
  /** Duration in seconds; default 30. */
  readonly seconds?: number;
  /**
   * `2024`: manifest on the site's own host, direct MP4 links. `2026`: stream_formats, manifest on the site's director
   * host.
   */
  readonly shape?: '2024' | '2026';
  readonly variants?: readonly VariantName[];
  readonly live?: true;
  /** The member `qualities` contains more than `auto`. */
  readonly moreQualities?: true;
  readonly explicit?: true;
  /** Language codes of its subtitles. */
  readonly subtitles?: readonly string[];
  /** Its images are in `posters`, as in older responses. */
  readonly posters?: true;
  /** First `allow` or `deny`, then lower-case country codes. */
  readonly geoblocking?: readonly string[];
  /** Playable only with its private key. */
  readonly private?: true;
  readonly protectedDelivery?: true;
  /** Playable only when the request names an embedding page. */
  readonly embedOnly?: true;
  /** Error in the metadata response: `DM002`, `password_protected` or `not_found`. */
  readonly refusal?: string;
  /** Fault of the metadata. */
  readonly metadata?: MetadataFault;
  /** Fault of the REST interface: removed, replaced by a web page, without a connection or without a response. */
  readonly rest?: 'gone' | 'page' | 'dropped' | 'silent';
  /** Its lists have streams and subtitles of kinds that no program knows. */
  readonly unknownKinds?: true;
  /** All its streams have a kind that no program knows. */
  readonly unknownStreams?: true;
  /** Fault of the manifest. */
  readonly manifest?: 'forbidden' | 'page';
  /** Factor by which its variants overstate their bandwidth. */
  readonly bandwidthFactor?: number;
  /** Query for the links in its playlists, with faults of the lab's CDN. */
  readonly faults?: string;
}

/** `dropped` affects only the site's own host; the player's host still responds. The other faults affect both hosts. */
export type MetadataFault = 'too_many' | 'unavailable' | 'page' | 'cut' | 'empty' | 'dropped';

/** Video of the simulated site. */
export interface Video extends Scenario {
  /** Public ID. */
  readonly id: string;
  /** Private share key. */
  readonly accessId: string;
  /** The ID as a number, as in the CDN's paths. Public IDs are numbers in base 36 after the letter x. */
  readonly number: bigint;
  readonly name: string;
  readonly seconds: number;
  readonly shape: '2024' | '2026';
  readonly variants: readonly VariantName[];
  readonly geoblocking: readonly string[];
  /** Generated media of the video. */
  readonly title: Title;
}

const allVariants: readonly VariantName[] = ['720', '380', '480', '1080', '240'];

/** A signature of about 9,000 characters. */
const longSignature = Array.from({ length: 105 }, (_, index) => sign('long', `${index}`)).join('');

const errorScenarios = Object.fromEntries(
  Array.from({ length: 19 }, (_, index) => {
    const code = `DM${`${index + 1}`.padStart(3, '0')}`;
    return [`xlab${code.toLowerCase()}`, { about: `returns ${code}`, refusal: code }];
  }),
);

/** The documented IDs. Any other well-formed ID is an ordinary video, unless it starts with `xnotfound`. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  xlab30: { about: 'ordinary: 30 s, five variants, direct MP4 links on some', shape: '2024', variants: allVariants },
  xlab2: { about: '2 s', seconds: 2, shape: '2024', variants: ['240', '480'] },
  xlab600: { about: '10 minutes', seconds: 600, shape: '2024', variants: allVariants },
  xlabnew: { about: 'the shape of 2026: stream_formats, manifest on cdndirector, no direct MP4 links', shape: '2026' },
  xlabmp4: {
    about: 'qualities also lists MP4 files, duplicates of the manifest and a manifest of an unknown kind',
    moreQualities: true,
  },
  xlab60fps: { about: 'a variant called 720@60', shape: '2026', variants: ['480', '720@60', '240'] },
  xlablive: { about: 'live: variants listed for two hosts, no end', live: true, seconds: 60, variants: allVariants },
  xlabexplicit: { about: 'explicit, but playable', explicit: true },
  xlabsubs: { about: 'has subtitles in English and French', subtitles: ['en', 'fr'] },
  xlabposters: { about: 'posters instead of thumbnails', posters: true, shape: '2024' },
  xlabpassword: { about: 'requires a password', refusal: 'password_protected' },
  xlabprivate: { about: 'private: DM010 by this ID, playable as kLabxlabprivate', private: true },
  xlabgeofr: { about: 'allowed in France and Belgium only', geoblocking: ['allow', 'fr', 'be'] },
  xlabgeous: { about: 'denied in the United States', geoblocking: ['deny', 'us'] },
  xlabdrm: { about: 'protected delivery', protectedDelivery: true },
  xlabembed: { about: 'DM016, but playable with the parameter embedder', embedOnly: true },
  xlabrestgone: { about: 'the REST API returns 410', rest: 'gone' },
  xlabresthtml: { about: 'the REST API is a web page', rest: 'page' },
  xlabrestdrop: { about: 'the REST API drops the connection', rest: 'dropped' },
  xlabrestmute: { about: 'the REST API never responds', rest: 'silent' },
  xlabgeonorest: { about: 'allowed in France only; the REST API is gone', geoblocking: ['allow', 'fr'], rest: 'gone' },
  xlabkinds: { about: 'also lists a stream and subtitles of unknown kinds', unknownKinds: true },
  xlabnokinds: { about: 'lists only streams of an unknown kind', unknownStreams: true, explicit: true },
  xlabman403: { about: 'the manifest returns 403', manifest: 'forbidden' },
  xlabmanhtml: { about: 'the manifest is a web page', manifest: 'page' },
  xlabmeta429: { about: 'metadata returns 429', metadata: 'too_many' },
  xlabmeta503: { about: 'metadata returns 503', metadata: 'unavailable' },
  xlabmetahtml: { about: 'metadata is a web page', metadata: 'page' },
  xlabmetacut: { about: 'metadata ends within its JSON', metadata: 'cut' },
  xlabmetaempty: { about: 'metadata is empty', metadata: 'empty' },
  xlabfallback: { about: 'only geo.dailymotion.com returns metadata, www drops the connection', metadata: 'dropped' },
  xlabslow: { about: 'segments are sent at 64 kB per second', faults: 'segment.throttle=64000' },
  xlabdead: { about: 'the third segment returns 403', faults: 'segment.status=403&segment.only=3' },
  xlablong: { about: 'its links have 9,000 characters', seconds: 2, faults: `signature=${longSignature}` },
  xlabhuge: {
    about: 'declares 18 times its bandwidth: between 0.5 and 2.8 GB',
    seconds: 600,
    bandwidthFactor: 18,
    variants: allVariants,
  },
  ...errorScenarios,
};

/** Finds the video of an ID, public (`x…`) or private (`k…`); returns undefined if the site does not know it. */
export function findVideo(id: string): Video | undefined {
  const publicId = id.startsWith('kLab') ? id.slice('kLab'.length) : id;
  if (!/^x[1-9a-z][0-9a-z]{0,12}$/.test(publicId) || publicId.startsWith('xnotfound')) return undefined;
  const scenario = Object.hasOwn(scenarios, publicId) ? scenarios[publicId] : undefined;
  return scenario?.refusal === 'not_found' ? undefined : describe(publicId, scenario ?? ordinary(publicId));
}

/** Finds a video by the number in the CDN's paths. */
export function findByNumber(digits: string): Video | undefined {
  return findVideo(`x${BigInt(digits).toString(36)}`);
}

/** Returns whether a video is available in a country. */
export function isAllowedIn({ geoblocking }: Video, country: string): boolean {
  const [rule, ...codes] = geoblocking;
  const isListed = codes.includes(country.toLowerCase());
  return rule === 'deny' ? !isListed : isListed || codes.length === 0;
}

/** Returns the scenario of an ordinary video, which follows from the ID as a number. */
function ordinary(id: string): Scenario {
  const sum = Number(numberOf(id) % 1_000_003n);
  return {
    about: 'ordinary',
    seconds: [12, 20, 30, 45, 60][sum % 5] ?? 30,
    shape: sum % 2 === 0 ? '2024' : '2026',
    variants: allVariants.slice(0, 3 + (sum % 3)),
  };
}

function describe(id: string, scenario: Scenario): Video {
  const seconds = scenario.seconds ?? 30;
  return {
    shape: '2026',
    variants: ['480', '240', '720'],
    geoblocking: ['allow'],
    ...scenario,
    id,
    accessId: `kLab${id}`,
    number: numberOf(id),
    name: titleOfItem(id),
    seconds,
    title: titleFor(id, seconds),
  };
}

function numberOf(id: string): bigint {
  return [...id.slice(1)].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}
