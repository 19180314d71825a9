import { type Title, titleFor } from '../../media/titles.ts';
import type { VariantName } from './variants.ts';

/** What one video of the simulated site shows. What is absent is ordinary. */
export interface Scenario {
  /** What it is good for, for people to read. */
  readonly about: string;
  /** Seconds; 30 where absent. */
  readonly seconds?: number;
  /** `2024`: manifest on the site's own host, direct MP4 links. `2026`: stream_formats, manifest on its director. */
  readonly shape?: '2024' | '2026';
  readonly variants?: readonly VariantName[];
  readonly live?: true;
  /** Its qualities are not `auto` alone. */
  readonly moreQualities?: true;
  readonly explicit?: true;
  /** Language codes of its subtitles. */
  readonly subtitles?: readonly string[];
  /** Pictures are called so in older answers. */
  readonly posters?: true;
  /** The first is `allow` or `deny`, then lower-case country codes. */
  readonly geoblocking?: readonly string[];
  /** Plays only under its private key. */
  readonly private?: true;
  readonly protectedDelivery?: true;
  /** Plays only when the request names an embedding page. */
  readonly embedOnly?: true;
  /** The error that metadata answers with: `DM002`, `password_protected` or `not_found`. */
  readonly refusal?: string;
  /** How metadata goes wrong. */
  readonly metadata?: MetadataFault;
  /** How the manifest goes wrong. */
  readonly manifest?: 'forbidden' | 'page';
  /** Times the true bandwidth that its variants are declared with. */
  readonly overstatedSeconds?: number;
  /** Query of its playlists' links: faults of the lab's CDN. */
  readonly faults?: string;
}

/** `dropped` hits the site's own host alone, so that its player's host can still answer; the others hit both. */
export type MetadataFault = 'too_many' | 'unavailable' | 'page' | 'cut' | 'empty' | 'dropped';

/** A video of the simulated site. */
export interface Video extends Scenario {
  /** Public id. */
  readonly id: string;
  /** Private share key. */
  readonly accessId: string;
  /** The id as a number, as it stands in the CDN's paths: public ids are numbers in base 36 behind an x. */
  readonly number: bigint;
  readonly name: string;
  readonly seconds: number;
  readonly shape: '2024' | '2026';
  readonly variants: readonly VariantName[];
  readonly geoblocking: readonly string[];
  /** The made media behind it. */
  readonly title: Title;
}

const allVariants: readonly VariantName[] = ['720', '380', '480', '1080', '240'];

const errorScenarios = Object.fromEntries(
  Array.from({ length: 19 }, (_, index) => {
    const code = `DM${`${index + 1}`.padStart(3, '0')}`;
    return [`xlab${code.toLowerCase()}`, { about: `answers ${code}`, refusal: code }];
  }),
);

/** The documented ids. Any other well-formed id is an ordinary video, unless it starts with `xnotfound`. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  xlab30: { about: 'ordinary: 30 s, five variants, direct MP4 links on some', shape: '2024', variants: allVariants },
  xlab2: { about: '2 s', seconds: 2, shape: '2024', variants: ['240', '480'] },
  xlab600: { about: '10 minutes', seconds: 600, shape: '2024', variants: allVariants },
  xlabnew: { about: 'the shape of 2026: stream_formats, manifest on cdndirector, no direct MP4 links', shape: '2026' },
  xlabmp4: {
    about: 'qualities also lists MP4 files, doubles of the manifest and a manifest of an unknown kind',
    moreQualities: true,
  },
  xlab60fps: { about: 'a variant called 720@60', shape: '2026', variants: ['480', '720@60', '240'] },
  xlablive: { about: 'live: variants doubled on two hosts, no end', live: true, seconds: 60, variants: allVariants },
  xlabexplicit: { about: 'explicit, and plays', explicit: true },
  xlabsubs: { about: 'has subtitles in English and French', subtitles: ['en', 'fr'] },
  xlabposters: { about: 'posters instead of thumbnails', posters: true, shape: '2024' },
  xlabpassword: { about: 'asks for a password', refusal: 'password_protected' },
  xlabprivate: { about: 'private: DM010 by this id, plays as kLabxlabprivate', private: true },
  xlabgeofr: { about: 'allowed in France and Belgium only', geoblocking: ['allow', 'fr', 'be'] },
  xlabgeous: { about: 'denied in the United States', geoblocking: ['deny', 'us'] },
  xlabdrm: { about: 'protected delivery', protectedDelivery: true },
  xlabembed: { about: 'DM016, but plays with the parameter embedder', embedOnly: true },
  xlabman403: { about: 'the manifest answers 403', manifest: 'forbidden' },
  xlabmanhtml: { about: 'the manifest is a web page', manifest: 'page' },
  xlabmeta429: { about: 'metadata answers 429', metadata: 'too_many' },
  xlabmeta503: { about: 'metadata answers 503', metadata: 'unavailable' },
  xlabmetahtml: { about: 'metadata is a web page', metadata: 'page' },
  xlabmetacut: { about: 'metadata breaks off inside its JSON', metadata: 'cut' },
  xlabmetaempty: { about: 'metadata is empty', metadata: 'empty' },
  xlabfallback: { about: 'only geo.dailymotion.com answers metadata, www drops the connection', metadata: 'dropped' },
  xlabslow: { about: 'segments come at 64 kB a second', faults: 'segment.throttle=64000' },
  xlabdead: { about: 'the third segment answers 403', faults: 'segment.status=403&segment.only=3' },
  xlabhuge: {
    about: 'declares 18 times its bandwidth: half a gigabyte to 2.8',
    seconds: 600,
    overstatedSeconds: 18,
    variants: allVariants,
  },
  ...errorScenarios,
};

/** Finds what an id names, public (`x…`) or private (`k…`); undefined where the site knows nothing of it. */
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

/** Whether a video may be seen in a country. */
export function isAllowedIn({ geoblocking }: Video, country: string): boolean {
  const [rule, ...codes] = geoblocking;
  const isListed = codes.includes(country.toLowerCase());
  return rule === 'deny' ? !isListed : isListed || codes.length === 0;
}

/** The number of an id, which sums up its characters: what an ordinary video is like follows from it. */
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
    name: `Lab video ${id}`,
    seconds,
    title: titleFor(id, seconds),
  };
}

function numberOf(id: string): bigint {
  return [...id.slice(1)].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}
