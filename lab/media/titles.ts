import type { Picture } from './make/task.ts';

/** Test video of the lab, whose name identifies its look, its tone and its length. */
export interface Title {
  /** `<look>-<seconds>`, such as `amber-30`. */
  readonly name: string;
  readonly look: LookName;
  readonly seconds: number;
}

/** One frame size and frame rate of a title: `720`, or `720p60` for a frame rate other than 25. */
export interface Rendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly rate: number;
}

/** Content of an HLS playlist: video and audio (`720`), video only (`video-720`) or audio only (`audio`). */
export interface Track {
  readonly name: string;
  readonly video?: Rendition;
  readonly audio: boolean;
}

interface Look {
  readonly colour: Picture['colour'];
  /** Pitch of its tone in Hz. */
  readonly tone: number;
  /** Bits per second of its video; by default as few as possible. */
  readonly bitRate?: number;
  /** Duration of its longest title in seconds. */
  readonly maxSeconds: number;
}

/** Duration of the shortest title in seconds. */
const minSeconds = 2;
const maxSeconds = 1500;

/**
 * The looks. `giant` is for benchmarks: `giant-2100` is 1.04 GB of video and 34 MB of audio, `giant-9600` 4.8 and 0.2
 * GB.
 */
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

/** Heights in which every title is available, in pixels. */
export const heights: readonly number[] = Object.keys(widths).map(Number);

/** Reads a title's name; returns undefined if there is no such title. */
export function parseTitle(name: string): Title | undefined {
  const [, look, digits] = /^([a-z]{1,12})-([1-9]\d{0,3})$/.exec(name) ?? [];
  if (look === undefined || !isLook(look)) return undefined;
  const seconds = Number(digits);
  return seconds >= minSeconds && seconds <= looks[look].maxSeconds ? { name, look, seconds } : undefined;
}

/** Returns the title of a platform's video: always the same for the same ID. */
export function titleFor(id: string, seconds: number): Title {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) >>> 0;
  const look = plainLooks[sum % plainLooks.length] ?? 'amber';
  return { name: `${look}-${seconds}`, look, seconds };
}

/** Returns a title of the same length with another look and tone: always the same for the same title. */
export function nextTitle({ look, seconds }: Title): Title {
  const next = plainLooks[(plainLooks.indexOf(look) + 1) % plainLooks.length] ?? 'amber';
  return { name: `${next}-${seconds}`, look: next, seconds };
}

/** Returns the properties of a look. */
export function look(name: LookName): Look {
  return looks[name];
}

/** Reads a rendition's name; returns undefined if there is no such rendition. */
export function parseRendition(name: string): Rendition | undefined {
  const [, digits, sixty] = /^([1-9]\d{2,3})(p60)?$/.exec(name) ?? [];
  const height = Number(digits);
  const width = widths[height];
  if (width === undefined) return undefined;
  return { name, width, height, rate: sixty === undefined ? 25 : 60 };
}

/** Returns the track of a rendition with the title's audio. */
export function fullTrack(rendition: Rendition): Track {
  return { name: rendition.name, video: rendition, audio: true };
}

/** Reads a track's name; returns undefined if there is no such track. */
export function parseTrack(name: string): Track | undefined {
  if (name === 'audio') return { name, audio: true };
  const [, alone, size = ''] = /^(video-)?(\w+)$/.exec(name) ?? [];
  const rendition = parseRendition(size);
  return rendition && { name, video: rendition, audio: alone === undefined };
}

function isLook(name: string): name is LookName {
  return Object.hasOwn(looks, name);
}
