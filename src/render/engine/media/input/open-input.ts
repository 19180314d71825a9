import {
  AV_CODEC_ID_NONE,
  AV_DISPOSITION_ATTACHED_PIC,
  AVERROR_EINVAL,
  AVERROR_INVALIDDATA,
  AVFMT_NOTIMESTAMPS,
  AVFMT_TS_DISCONT,
  AVMEDIA_TYPE_ATTACHMENT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avGetCodecName, Dictionary, FormatContext, InputFormat, Packet, type Stream } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { type ByteSource, type Claims, withFile } from '../../binary/byte-source.ts';
import { readClaims } from '../../declared/declared-extent.ts';
import type { EngineInput, StreamSummary } from '../../engine.ts';
import { printable } from '../../errors/printable.ts';
import { maxInputStreams, type TrackKind } from '../../formats/containers.ts';
import { isoFormat } from '../../formats/demuxer-names.ts';
import { isShortTransportStream } from '../../formats/short-transport-stream.ts';
import { headBytes, notMediaKind } from '../../formats/sniff-non-media.ts';
import { noIndex, readIndexFacts } from '../../mp4/index-properties.ts';
import { copyObstacles } from '../../track-plan/copy-obstacles.ts';
import type { SourceStream } from '../../track-plan/track-plan.ts';
import type { Words } from '../library-log.ts';
import { secondsOf, toSeconds } from '../timestamps.ts';
import { decodedStarts } from './decoded-starts.ts';
import { markEncrypted } from './encryption.ts';
import { findPictureTimes } from './find-picture-times.ts';
import { addFlacHeaders, lacksFlacHeader } from './flac-headers.ts';
import { containerProbeBytes } from './growing-file.ts';
import { findLateStarts } from './late-starts.ts';
import { describeLateStreams, isUndescribed } from './late-streams.ts';
import { hasMpegAudio, nameLayers, nameUnknownCodecs } from './name-codecs.ts';
import { durationCorrection } from './packet-durations.ts';
import { packetReader, type ReadPacket } from './packet-reader.ts';
import type { PictureTimes } from './picture-times.ts';

/**
 * Demuxers that files are opened with. Playlists (HLS, DASH, concat), which make the library open other files and
 * addresses, are left out on purpose: they have been shown to work even inside a file named `.mp4`.
 */
const demuxers = [
  ...['mov', 'matroska', 'webm', 'mpegts', 'mpeg', 'flv', 'avi', 'asf', 'ogg', 'mp3', 'aac', 'ac3', 'eac3', 'flac'],
  ...['wav', 'w64', 'aiff', 'caf', 'amr', 'dts', 'wv', 'ivf', 'h264', 'hevc', 'gif'],
].join(',');

/** Bytes and microseconds that may be read to learn what the streams are. */
const probeBytes = '20000000';
const analyzeMicroseconds = '10000000';

/** A file that is being read. */
export interface OpenInput {
  /** Its place among the task's inputs, from 0. */
  readonly at: number;
  /** Index of the job's input that it belongs to. */
  readonly jobInput: number;
  /** What it is called in messages: `Input 1`. */
  readonly name: string;
  readonly path: string;
  readonly context: FormatContext;
  /** Reads its next packet. */
  readonly read: ReadPacket;
  readonly streams: readonly Stream[];
  readonly sources: readonly SourceStream[];
  /** Demuxer as FFmpeg names it. */
  readonly format: string;
  /** Whether its timestamps may jump, as those of MPEG-TS do. */
  readonly jumps: boolean;
  /** Whether it has none, as raw H.264 does. */
  readonly untimed: boolean;
  /** What it says about when the pictures of each stream are shown. */
  readonly pictureTimes: readonly PictureTimes[];
  /** Seconds on its own clock at which each stream begins; absent where nothing tells. */
  readonly starts: readonly (number | undefined)[];
  /** Whether all of it was there when it was opened; else these are the bytes that there were. */
  readonly extension: Extension;
  readonly bytes: number;
  /** Seconds that the source promised. */
  readonly promised: number | undefined;
  /** Seconds that the header promises, of the whole file and of each stream. */
  readonly duration: number | undefined;
  readonly streamDurations: readonly (number | undefined)[];
  /** Ids of the MP4 tracks that pause between two edits, which the library plays wrong. */
  readonly paused: ReadonlySet<number>;
}

/** Whether all of a file is there. */
export type Extension = 'whole' | 'arriving';

/**
 * Opens a media file, whatever its name says it is, and learns what streams it has.
 *
 * @throws MillraceError `input_unreadable`, or `input_incomplete` when the file is plainly cut short.
 */
export async function openInput(
  input: EngineInput,
  at: number,
  name: string,
  words: Words,
  extension: Extension = 'whole',
): Promise<OpenInput> {
  const bytes = withFile(input.path, (source) => {
    refuseNonMedia(source, name);
    return source.size;
  });
  const claims = extension === 'whole' ? refuseCut(input.path, name) : {};
  const context = new FormatContext();
  const opened = openFile(context, input.path, extension);
  if (opened < 0) throw await notOpened(opened, name, words);
  if (context.streams.length > maxInputStreams) {
    throw new MillraceError(
      'source_unsupported',
      `${name} has more than ${maxInputStreams} streams. Use a file with fewer.`,
    );
  }
  // What headers promise has to be taken now: the next call fills what is missing with guesses.
  const streamDurations = context.streams.map((stream) => {
    // ASF has one duration for the whole file, which the library sets on each stream.
    return context.iformat?.name === 'asf' ? undefined : secondsOf(stream.duration, stream.timeBase);
  });
  const early = claims.duration ?? toSeconds(context.duration);
  nameUnknownCodecs(context);
  const found = context.findStreamInfoSync(null);
  if (found < 0) throw await words.failure('input_unreadable', `${name} cannot be read`, found, remedy);
  const { streams, iformat } = context;
  const format = iformat?.name ?? 'unknown';
  const untimed = (Number(iformat?.flags) & AVFMT_NOTIMESTAMPS) !== 0;
  const { listed, paused, encrypted } = format === isoFormat ? withFile(input.path, readIndexFacts) : noIndex;
  markEncrypted(context, encrypted);
  const readAgain = (read: (reader: FormatContext) => void) => {
    const reader = new FormatContext();
    if (openFile(reader, input.path, extension) >= 0) read(reader);
    reader.closeInputSync();
  };
  const lateFirsts: Packet[] = [];
  if (format === 'mpegts' && extension === 'whole' && streams.some(isUndescribed)) {
    readAgain((reader) => lateFirsts.push(...describeLateStreams(context, reader)));
  }
  if (namedByContainer.has(format) && hasMpegAudio(context)) readAgain((reader) => nameLayers(context, reader));
  if (lacksFlacHeader(context)) readAgain((reader) => addFlacHeaders(context, reader));
  const { jobInput = at } = input;
  const sources = streams.map((stream) => describeStream(stream, at, jobInput, listed));
  const media = streams.filter((stream) => mayPlay(stream, listed));
  const lateStarts =
    format === matroska && extension === 'whole' ? findLateStarts(context, media, readAgain) : noStarts;
  const pictureTimes = findPictureTimes({ context, format, path: input.path, sources }, readAgain);
  let decoded: ReadonlyMap<number, number> = new Map();
  if (pictureTimes.some((times) => times !== 'stored')) {
    readAgain((reader) => {
      decoded = decodedStarts(context, reader, pictureTimes);
    });
  }
  return {
    at,
    jobInput,
    name,
    path: input.path,
    context,
    read: packetReader(
      context,
      streams.map((stream) => durationCorrection(format, stream)),
      lateFirsts,
    ),
    streams,
    sources: sources.map((source) => {
      return untimed || pictureTimes[source.index] === 'unknown' ? { ...source, untimed: true } : source;
    }),
    format,
    jumps: (Number(iformat?.flags) & AVFMT_TS_DISCONT) !== 0,
    untimed,
    pictureTimes,
    starts: streams.map(({ index, startTime, timeBase }) => {
      return decoded.get(index) ?? (lateStarts.has(index) ? lateStarts.get(index) : secondsOf(startTime, timeBase));
    }),
    extension,
    bytes,
    promised: input.duration,
    // FLV has its header among its packets, which have been read only now.
    duration: format === 'flv' ? toSeconds(context.duration) : withoutDelay(early, format, streams),
    paused,
    streamDurations: listed || format !== isoFormat ? streamDurations : withoutStarts(streamDurations, streams),
  };
}

/**
 * Why a file could not be opened. The library returns one error for a file of no known format, and another one for a format
 * that is not among {@link demuxers}.
 */
async function notOpened(result: number, name: string, words: Words): Promise<MillraceError> {
  const failure = await words.failure('input_unreadable', `${name} cannot be opened`, result, remedy);
  if (result !== AVERROR_INVALIDDATA && result !== AVERROR_EINVAL) return failure;
  const { code, reason = '' } = failure;
  return new MillraceError(code, `${name} is not a video or audio file that can be read. ${remedy}`, { reason });
}

/** Of fragmented MP4, the library adds the time at which a stream begins to how long it plays. */
function withoutStarts(durations: readonly (number | undefined)[], streams: readonly Stream[]): (number | undefined)[] {
  return durations.map((duration, at) => {
    const stream = streams[at];
    const start = stream === undefined ? 0 : (secondsOf(stream.startTime, stream.timeBase) ?? 0);
    return duration === undefined || duration <= start ? duration : duration - Math.max(0, start);
  });
}

/**
 * The duration in the header, without encoder delay: FFmpeg's Matroska muxer includes it in the duration of the file, and
 * its demuxer puts it before the start.
 */
function withoutDelay(promised: number | undefined, format: string, streams: readonly Stream[]): number | undefined {
  if (promised === undefined || !format.startsWith('matroska')) return promised;
  const delays = streams.map(({ codecpar: { initialPadding, sampleRate } }) => {
    return sampleRate > 0 ? initialPadding / sampleRate : 0;
  });
  return promised - Math.max(0, ...delays);
}

/**
 * Reads what a file says of its own size and length.
 *
 * @throws MillraceError `input_incomplete` when it is plainly cut short.
 */
export function refuseCut(path: string, name: string): Claims {
  const claims = withFile(path, readClaims);
  if (claims.cut === undefined) return claims;
  throw new MillraceError('input_incomplete', `${name} is cut short: ${claims.cut}. Start the job again.`);
}

/**
 * The cover picture that a stream is. It is read from the file anew: the library's own getter crashes (node-av 6.1.1),
 * and the first context has to keep its packets for what comes. The process ends with its task and frees both.
 */
export function readCover({ path, streams }: OpenInput, at: number): Buffer | undefined {
  const context = new FormatContext();
  if (openFile(context, path, 'whole') < 0) return undefined;
  const packet = new Packet();
  packet.alloc();
  // Demuxers hand over all cover pictures before anything else.
  for (let count = 0; count < streams.length && context.readFrameSync(packet) >= 0; count += 1) {
    const { data } = packet;
    if (packet.streamIndex === at && data !== null) return Buffer.from(data);
    packet.unref();
  }
  return undefined;
}

/**
 * Of a file that is still arriving the end is not looked at: neither for how long it plays, nor for the indexes of the
 * fragments that follow.
 */
const arrivingOptions = {
  formatprobesize: `${containerProbeBytes}`,
  skip_estimate_duration_from_pts: '1',
  fflags: '+genpts+ignidx',
};

function openFile(context: FormatContext, path: string, extension: Extension): number {
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: demuxers,
    probesize: probeBytes,
    analyzeduration: analyzeMicroseconds,
    // One more shows that there are too many.
    max_streams: `${maxInputStreams + 1}`,
    // AVI and MPEG program streams tell the decoding order alone.
    fflags: '+genpts',
    ...(extension === 'arriving' ? arrivingOptions : {}),
  });
  const format = withFile(path, isShortTransportStream) ? InputFormat.findInputFormat('mpegts') : null;
  return context.openInputSync(`file:${path}`, format, options);
}

/** Whether a stream has frames from its beginning to its end. */
export function isContinuous({ sources }: OpenInput, at: number): boolean {
  const source = sources[at];
  return source !== undefined && !source.cover && (source.kind === 'video' || source.kind === 'audio');
}

/** Demuxers that know a codec only from the container. */
const namedByContainer = new Set(['mpegts', isoFormat]);

/** What kind of stream is told of in reports: what plays, but no covers and nothing that only travels along. */
export function shownKind({ kind, cover }: SourceStream): StreamSummary['kind'] | undefined {
  return !cover && (kind === 'video' || kind === 'audio' || kind === 'subtitle') ? kind : undefined;
}

const remedy = 'Check that the link leads to a whole video or audio file.';

/** Name of a stream's codec, or what else tells what it holds; `unknown` when nothing does. */
function codecOf({ codecpar, metadata }: Stream): string {
  const { codecType, codecId, codecTagString } = codecpar;
  const codec = (codecId === AV_CODEC_ID_NONE ? null : avGetCodecName(codecId)) ?? 'unknown';
  if (codec !== 'unknown' && codec !== 'bin_data') return codec;
  if (codecType === AVMEDIA_TYPE_ATTACHMENT) return printable(metadata?.get('mimetype') ?? '').slice(0, 100) || codec;
  // MP4 and QuickTime name their data with four letters.
  const tag = codecTagString ?? '';
  return codecType === AVMEDIA_TYPE_DATA && /^[a-z]{4}$/i.test(tag) ? tag : codec;
}

/** Describes a stream for planning; `listed`: whether the file's header lists all of its frames. */
export function describeStream(stream: Stream, input: number, jobInput: number, listed = false): SourceStream {
  const { codecType } = stream.codecpar;
  const codec = codecOf(stream);
  // The demuxer turns the text of chapters into data; subtitles stay what they are.
  const chapters = codecType === AVMEDIA_TYPE_DATA && codec === 'text';
  const kind = chapters ? 'chapters' : (kinds.get(codecType) ?? 'data');
  const cover = kind === 'video' && stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC);
  const empty = isUndescribed(stream) || (listed && !cover && stream.nbFrames === 0n);
  const { sampleRate, extradata: setup } = stream.codecpar;
  const obstacles = kind === 'audio' ? copyObstacles({ codec, sampleRate, setup }) : undefined;
  return { input, jobInput, index: stream.index, kind, codec, cover, empty, ...(obstacles && { obstacles }) };
}

const kinds = new Map<number, TrackKind>([
  [AVMEDIA_TYPE_VIDEO, 'video'],
  [AVMEDIA_TYPE_AUDIO, 'audio'],
  [AVMEDIA_TYPE_SUBTITLE, 'subtitle'],
  [AVMEDIA_TYPE_ATTACHMENT, 'attachment'],
]);

/** The demuxer of Matroska and WebM, as FFmpeg names it. */
const matroska = 'matroska,webm';
const noStarts: ReadonlyMap<number, number | undefined> = new Map();

/** Whether a stream is video or audio of which there may be frames. */
function mayPlay(stream: Stream, listed: boolean): boolean {
  const { codecType } = stream.codecpar;
  const plays = codecType === AVMEDIA_TYPE_VIDEO || codecType === AVMEDIA_TYPE_AUDIO;
  return plays && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) && !(listed && stream.nbFrames === 0n);
}

/** Says plainly what a file is that is often sent in place of media. */
function refuseNonMedia(source: ByteSource, name: string): void {
  if (source.size === 0) throw new MillraceError('input_unreadable', `${name} is empty. ${remedy}`);
  const what = notMediaKind(source.read(0, headBytes));
  if (what !== undefined) throw new MillraceError('input_unreadable', `${name} is ${what}, not media. ${remedy}`);
}
