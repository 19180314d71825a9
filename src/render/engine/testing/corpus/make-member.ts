import {
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  type AVDisposition,
} from 'node-av/constants';
import { Dictionary, type Stream } from 'node-av/lib';
import type { LibraryLog } from '../../media/library-log.ts';
import type { Writer } from '../../media/output/result-writer.ts';
import { addCover, addSubtitles } from '../stream-extras.ts';
import { findClip } from './clips.ts';
import { type EncodedClip, encodeClip } from './encode.ts';
import type { ExtraName, Member, MemberStream } from './members.ts';
import { muxFile, wantsGlobalHeader } from './mux.ts';
import { sources } from './sources.ts';

const encodedClips = new Map<string, Promise<EncodedClip>>();

/** Encodes a clip, once per process. */
function encodeOnce(name: string, globalHeader: boolean): Promise<EncodedClip> {
  const key = `${name} ${globalHeader}`;
  const clip = encodedClips.get(key) ?? encodeClip(findClip(name), globalHeader);
  encodedClips.set(key, clip);
  return clip;
}

/** Creates a file of the corpus. */
export async function makeMember(member: Member, path: string, libraryLog: LibraryLog): Promise<void> {
  const { muxer, muxerOptions } = sources[member.source];
  const muxing = { muxer, muxerOptions: { ...muxerOptions, ...member.muxerOptions } };
  const globalHeader = wantsGlobalHeader(muxing, libraryLog);
  const streams = [];
  for (const stream of member.streams) {
    const clip = await encodeOnce(stream.clip, globalHeader);
    streams.push({ clip, start: stream.start ?? 0, describe: (to: Stream) => describe(stream, to) });
  }
  await muxFile(path, { muxing, streams, extras: (member.extras ?? []).map((name) => extras[name]) }, libraryLog);
}

const extras: Readonly<Record<ExtraName, (writer: Writer) => () => void>> = {
  mov_text: (writer) => addSubtitles(writer, 'mov_text'),
  subrip: (writer) => addSubtitles(writer, 'subrip'),
  webvtt: (writer) => addSubtitles(writer, 'webvtt'),
  cover: addCover,
};

const flagValues: Readonly<Record<string, AVDisposition>> = {
  default: AV_DISPOSITION_DEFAULT,
  forced: AV_DISPOSITION_FORCED,
  comment: AV_DISPOSITION_COMMENT,
  'hearing impaired': AV_DISPOSITION_HEARING_IMPAIRED,
};

/** The first four numbers of a display matrix. */
const matrices = { quarter: [0, 1, -1, 0], half: [-1, 0, 0, -1], mirrored: [-1, 0, 0, 1] } as const;

function describe({ matrix, light, language, flags }: MemberStream, to: Stream): void {
  if (matrix !== undefined) to.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, displayMatrix(matrices[matrix]));
  if (light === true) {
    to.codecpar.addCodedSideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, masteringDisplay());
    to.codecpar.addCodedSideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, contentLight());
  }
  if (language !== undefined) to.metadata = Dictionary.fromObject({ language });
  if (flags !== undefined) {
    to.disposition = flags.reduce((all, flag) => all | (flagValues[flag] ?? 0), 0) as typeof to.disposition;
  }
}

/** Returns the matrix of ISO/IEC 14496-12 §8.3.2: numbers with 16 fractional bits, the last one with 30. */
function displayMatrix([a, b, c, d]: readonly [number, number, number, number]): Buffer {
  const one = 1 << 16;
  return Buffer.from(new Int32Array([a * one, b * one, 0, c * one, d * one, 0, 0, 0, 1 << 30]).buffer);
}

/**
 * Returns the library's AVMasteringDisplayMetadata, with the colours of DCI-P3, white D65, and 0.005 to 1000 candela
 * per square metre. It consists of ten fractions of two numbers each (red, green, blue, white, darkest, brightest), and
 * of flags for both parts.
 */
function masteringDisplay(): Buffer {
  const colours = [34_000, 16_000, 13_250, 34_500, 7500, 3000, 15_635, 16_450].flatMap((value) => [value, 50_000]);
  return Buffer.from(new Int32Array([...colours, 50, 10_000, 10_000_000, 10_000, 1, 1]).buffer);
}

/**
 * Returns the library's AVContentLightMetadata: candela per square metre of the brightest pixel and of the brightest
 * frame.
 */
function contentLight(): Buffer {
  return Buffer.from(new Uint32Array([900, 400]).buffer);
}
