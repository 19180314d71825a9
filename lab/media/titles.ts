import type { Picture } from './make/task.ts';

/** A video of the lab: what it looks and sounds like, and how long it is. Its name says all of that. */
export interface Title {
  /** `<look>-<seconds>`, such as `amber-30`. */
  readonly name: string;
  readonly look: LookName;
  readonly seconds: number;
}

/** One picture size and frame rate of a title: `720`, or `720p60` where it is not 25 frames a second. */
export interface Rendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly rate: number;
}

/** What an HLS playlist plays: picture and sound (`720`), the picture alone (`video-720`) or the sound alone (`audio`). */
export interface Track {
  readonly name: string;
  readonly video?: Rendition;
  readonly audio: boolean;
}

interface Look {
  readonly colour: Picture['colour'];
  /** Pitch of its tone in Hz. */
  readonly tone: number;
  /** Bits a second of its video; without it as few as it takes. */
  readonly bitRate?: number;
  /** Its longest title. */
  readonly maxSeconds: number;
}

/** Seconds of the shortest title. */
const minSeconds = 2;
const maxSeconds = 1500;

/** The looks. `giant` is for benchmarks: `giant-2100` is 1.04 GB of video and 34 MB of sound, `giant-9600` 4.8 and 0.2 GB. */
const looks = {
  amber: { colour: { u: 90, v: 150 }, tone: 220, maxSeconds },
  birch: { colour: { u: 120, v: 128 }, tone: 247, maxSeconds },
  coral: { colour: { u: 110, v: 180 }, tone: 262, maxSeconds },
  dune: { colour: { u: 100, v: 140 }, tone: 294, maxSeconds },
  fjord: { colour: { u: 170, v: 110 }, tone: 330, maxSeconds },
  grove: { colour: { u: 100, v: 100 }, tone: 349, maxSeconds },
  lilac: { colour: { u: 160, v: 150 }, tone: 392, maxSeconds },
  slate: { colour: { u: 135, v: 120 }, tone: 440, maxSeconds },
  giant: { colour: { u: 90, v: 150 }, tone: 196, bitRate: 3_500_000, maxSeconds: 9600 },
} satisfies Record<string, Look>;

export type LookName = keyof typeof looks;

/** Looks that {@link titleFor} chooses from. */
const plainLooks = Object.keys(looks).filter((name): name is LookName => name !== 'giant');

const widths: Readonly<Record<number, number>> = {
  144: 256,
  180: 320,
  240: 426,
  288: 512,
  360: 640,
  480: 848,
  720: 1280,
  1080: 1920,
};

/** Heights that every title comes in. */
export const heights: readonly number[] = Object.keys(widths).map(Number);

/** Reads a title's name; undefined where there is no such title. */
export function parseTitle(name: string): Title | undefined {
  const [, look, digits] = /^([a-z]{1,12})-([1-9]\d{0,3})$/.exec(name) ?? [];
  if (look === undefined || !isLook(look)) return undefined;
  const seconds = Number(digits);
  return seconds >= minSeconds && seconds <= looks[look].maxSeconds ? { name, look, seconds } : undefined;
}

/** The title that stands for a platform's video: always the same for the same id. */
export function titleFor(id: string, seconds: number): Title {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) >>> 0;
  const look = plainLooks[sum % plainLooks.length] ?? 'amber';
  return { name: `${look}-${seconds}`, look, seconds };
}

/** A title of the same length that looks and sounds different: always the same for the same title. */
export function nextTitle({ look, seconds }: Title): Title {
  const next = plainLooks[(plainLooks.indexOf(look) + 1) % plainLooks.length] ?? 'amber';
  return { name: `${next}-${seconds}`, look: next, seconds };
}

/** What a look is like. */
export function look(name: LookName): Look {
  return looks[name];
}

/** Reads a rendition's name; undefined where there is no such rendition. */
export function parseRendition(name: string): Rendition | undefined {
  const [, digits, sixty] = /^([1-9]\d{2,3})(p60)?$/.exec(name) ?? [];
  const height = Number(digits);
  const width = widths[height];
  if (width === undefined) return undefined;
  return { name, width, height, rate: sixty === undefined ? 25 : 60 };
}

/** A rendition with the title's sound. */
export function fullTrack(rendition: Rendition): Track {
  return { name: rendition.name, video: rendition, audio: true };
}

/** Reads a track's name; undefined where there is no such track. */
export function parseTrack(name: string): Track | undefined {
  if (name === 'audio') return { name, audio: true };
  const [, alone, size = ''] = /^(video-)?(\w+)$/.exec(name) ?? [];
  const rendition = parseRendition(size);
  return rendition && { name, video: rendition, audio: alone === undefined };
}

function isLook(name: string): name is LookName {
  return Object.hasOwn(looks, name);
}
