import { createHash } from 'node:crypto';
import { additionLimits } from '../../../contract/addition-limits.ts';
import type { OutputMetadata } from '../../../contract/output-additions.ts';
import { cleanLine, cleanLines } from './clean-text.ts';

/** Tags about the volume of a file's audio, which are only correct for exactly this audio. */
export const volumeTagNames = ['replaygain_track_gain', 'replaygain_track_peak', 'r128_track_gain'] as const;

/** The tags that the engine writes and reads, by FFmpeg's names, except `url`. */
export const tagNames = [
  ...(['title', 'artist', 'album', 'album_artist', 'date', 'description', 'comment', 'url'] as const),
  ...(['genre', 'track', 'disc', 'composer', 'copyright'] as const),
  ...volumeTagNames,
];

/** One of {@link tagNames}. */
export type TagName = (typeof tagNames)[number];

/** The tags of a file. */
export type Tags = Readonly<Partial<Record<TagName, string>>>;

const longTags: ReadonlySet<TagName> = new Set(['description', 'comment']);
const numberTags: ReadonlySet<TagName> = new Set(['track', 'disc']);
/** Maximum number of characters in a link. */
const maxLink = 2048;

/** Cleans and bounds tags from any source, and drops empty ones. Descriptions and comments may have several lines. */
export function cleanTags(tags: Readonly<Partial<Record<TagName, string | null | undefined>>>): Tags {
  const entries = tagNames.flatMap((name) => {
    const value = cleanTag(name, tags[name] ?? '');
    return value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function cleanTag(name: TagName, value: string): string {
  if (longTags.has(name)) return cleanLines(value, additionLimits.longText);
  const line = cleanLine(value, name === 'url' ? maxLink : additionLimits.text);
  return numberTags.has(name) ? simplifyNumber(line) : line;
}

/** Writes a number and the total without leading zeros, as containers that store numbers return them: `3/12`. */
function simplifyNumber(text: string): string {
  const pair = readNumberPair(text);
  if (pair === undefined) return text;
  return formatNumberPair(pair);
}

/** A track or disc number and the total number; 0 if unknown. */
export type NumberPair = readonly [number: number, total: number];

/** Parses `3` or `3/12`; undefined for other texts. */
export function readNumberPair(text: string): NumberPair | undefined {
  const [, number, total = '0'] = /^(\d{1,4})(?:\/(\d{1,4}))?$/.exec(text) ?? [];
  return number === undefined ? undefined : [Number(number), Number(total)];
}

/** Formats a number and its total as a tag; empty if neither is known. */
export function formatNumberPair([number, total]: NumberPair): string {
  if (total > 0) return `${number}/${total}`;
  return number > 0 ? `${number}` : '';
}

/** Returns the tags that a job adds. */
export function tagsOfMetadata({ albumArtist, ...others }: OutputMetadata = {}): Tags {
  return cleanTags({ ...others, album_artist: albumArtist });
}

/** Returns tags without those of {@link volumeTagNames}. */
export function withoutVolumeTags(tags: Tags): Tags {
  const { replaygain_track_gain, replaygain_track_peak, r128_track_gain, ...others } = tags;
  return others;
}

/** SHA-256 digests of tags, in hexadecimal. Reports contain them in place of the texts, which may be long. */
export type TagDigests = Readonly<Partial<Record<TagName, string>>>;

/** Returns the digests of tags. */
export function digestTags(tags: Tags): TagDigests {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, digestOf(value)]));
}

/** Returns the SHA-256 of a text in UTF-8, or of bytes, in hexadecimal. */
export function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
