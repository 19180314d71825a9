import type { ByteSource } from '../binary/byte-source.ts';
import { type ChildElement, childElements, ebmlIds, segmentElements, uintOf } from '../binary/ebml.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { toPrintable } from '../errors/to-printable.ts';
import { parseLanguageTag } from '../languages/language-code.ts';
import type { TrackKind } from './container-formats.ts';

/** A track that the header of a Matroska or WebM file declares. */
export interface MatroskaTrack {
  /** Kind of the track; `other` for buttons, control tracks and types outside RFC 9559 §5.1.4.1.3. */
  readonly kind: Exclude<TrackKind, 'attachment'> | 'other';
  /** CodecID, such as `S_TEXT/WEBVTT`; empty without one. */
  readonly codec: string;
  /** Its language tag (LanguageBCP47, or a Language of more than a code, as older versions of Millrace wrote it). */
  readonly languageTag?: string;
}

const trackIds = { entry: 0xae, type: 0x83, codec: 0x86, language: 0x22b59c, languageTag: 0x22b59d } as const;
const kinds = new Map<number, MatroskaTrack['kind']>([
  [1, 'video'],
  [2, 'audio'],
  [17, 'subtitle'],
  [33, 'data'],
]);
/** Maximum size of all track entries, in bytes. Each may contain its decoder's whole setup. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Reads the tracks that a Matroska or WebM file declares, in order. Returns an empty list if the file cannot be parsed.
 */
export function readMatroskaTracks(source: ByteSource): MatroskaTrack[] {
  try {
    for (const { id, size, dataOffset } of segmentElements(source)) {
      // Tracks precede the first cluster; otherwise no player could play the file.
      if (id === ebmlIds.cluster) break;
      if (id === ebmlIds.tracks)
        return size === undefined || size > maxBytes ? [] : parseTracks(source.read(dataOffset, size));
    }
  } catch (error) {
    if (!(error instanceof FastPathDeclined)) throw error;
  }
  return [];
}

function parseTracks(body: Buffer): MatroskaTrack[] {
  return childElements(body)
    .filter(({ id }) => id === trackIds.entry)
    .map((entry) => {
      const parts = childElements(entry.body);
      const languageTag = languageTagOf(parts);
      return {
        kind: kinds.get(uintOf(parts, trackIds.type, 0)) ?? 'other',
        codec: toPrintable(textOf(parts, trackIds.codec) ?? '').slice(0, 100),
        ...(languageTag && { languageTag }),
      };
    });
}

/** LanguageBCP47 counts, and Language does not, if a track has both (RFC 9559 §5.1.4.1.20). */
function languageTagOf(parts: readonly ChildElement[]): string | undefined {
  const [language = '', tag] = [textOf(parts, trackIds.language), textOf(parts, trackIds.languageTag)];
  return parseLanguageTag(tag ?? (language.includes('-') ? language : ''));
}

/** Returns the text in the first element with the given ID, which may be padded with zeros. */
function textOf(parts: readonly ChildElement[], id: number): string | undefined {
  return parts
    .find((part) => part.id === id)
    ?.body.toString('latin1')
    .split('\0', 1)[0];
}

/**
 * Matches the declared tracks with the streams that the demuxer delivers. Demuxers keep the tracks' order.
 *
 * @returns For each track the index of its stream; undefined if none was delivered.
 */
export function matchTracks(
  tracks: readonly MatroskaTrack[],
  streams: readonly { readonly kind: string }[],
): (number | undefined)[] {
  let next = 0;
  return tracks.map(({ kind, codec }) => {
    const streamKind = streams[next]?.kind;
    // WebM declares WebVTT descriptions and metadata as metadata, but demuxers deliver them as subtitles.
    const same = streamKind === kind || (kind === 'data' && streamKind === 'subtitle' && codec.startsWith('D_WEBVTT'));
    if (!same) return undefined;
    next += 1;
    return next - 1;
  });
}
