import {
  AV_DISPOSITION_ATTACHED_PIC,
  AVERROR_EINVAL,
  AVERROR_INVALIDDATA,
  AVFMT_NOTIMESTAMPS,
  AVFMT_TS_DISCONT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { FormatContext, type Packet, type Stream } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { nonMediaKind, sniffLength } from '../../../../parsing/content-sniffing.ts';
import { type ByteSource, withFile } from '../../binary/byte-source.ts';
import type { DeclaredExtent } from '../../binary/declared-extent.ts';
import { readDeclaredExtent } from '../../declared-extent/read-declared-extent.ts';
import { incompleteInputError } from '../../errors/incomplete-input.ts';
import { maxInputStreams } from '../../formats/container-formats.ts';
import { isoFormat } from '../../formats/demuxer-names.ts';
import { sourceClockOf } from '../../formats/source-clock.ts';
import { readIndexProperties } from '../../mp4/index-properties.ts';
import type { EngineInput } from '../../tasks/task.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { LibraryLog } from '../library-log.ts';
import { microsecondsToSeconds, ticksToSeconds } from '../timestamps.ts';
import { describeStream } from './describe-stream.ts';
import { markEncrypted } from './encryption.ts';
import { findPtsSources } from './find-pts-sources.ts';
import { addFlacHeaders, lacksFlacHeader } from './flac-headers.ts';
import { hasMpegAudio, identifyMpegAudioLayers, identifyUnknownCodecs } from './identify-codecs.ts';
import { withLanguageTags } from './language-tags.ts';
import { findLateStarts } from './late-starts.ts';
import { describeLateStreams, findUnreadableVideos, isUndescribed, isUndescribedVideo } from './late-streams.ts';
import type { Completeness, MediaInput } from './media-input.ts';
import { openFile } from './open-file.ts';
import { endOpus } from './opus-end.ts';
import { packedAudioStart, readPackedAudio } from './packed-audio-reader.ts';
import { createPacketReader } from './packet-reader.ts';
import { inOrder, timeCorrection } from './packet-times.ts';
import { declareMp3Priming, findTaggedPriming } from './priming.ts';
import { findStartsFromDts } from './starts-from-dts.ts';

/**
 * Opens a media file, regardless of its name, and detects its streams.
 *
 * @throws MillraceError `input_unreadable`, or `input_incomplete` when the file is clearly truncated.
 */
export async function openInput(
  input: EngineInput,
  inputIndex: number,
  name: string,
  libraryLog: LibraryLog,
  completeness: Completeness = 'whole',
): Promise<MediaInput> {
  const bytes = withFile(input.path, (source) => {
    refuseNonMedia(source, name);
    return source.size;
  });
  const declaredExtent = completeness === 'whole' ? refuseTruncated(input, name) : {};
  const { listsAllSamples, pausedTracks, encryptedTracks, languageTags, tracksBesideIamf, shifts } = withFile(
    input.path,
    readIndexProperties,
  );
  const context = new FormatContext();
  const openResult = openFile(context, input.path, completeness, shifts.hasOpenEdits);
  if (openResult < 0) throw await createOpenError(openResult, name, libraryLog);
  if (context.streams.length > maxInputStreams) {
    throw new MillraceError(
      'source_unsupported',
      `${name} has more than ${maxInputStreams} streams. Use a file with fewer.`,
    );
  }
  // The declared durations must be read now: the next call fills missing ones with estimates.
  const streamDurations = context.streams.map((stream) => {
    // ASF has one duration for the whole file, which the library sets on each stream.
    return context.iformat?.name === 'asf' ? undefined : ticksToSeconds(stream.duration, stream.timeBase);
  });
  const headerDuration = declaredExtent.duration ?? microsecondsToSeconds(context.duration);
  identifyUnknownCodecs(context);
  const infoResult = context.findStreamInfoSync(null);
  if (infoResult < 0)
    throw await libraryLog.createError('input_unreadable', `${name} cannot be read`, infoResult, remedy);
  const { streams, iformat } = context;
  const format = iformat?.name ?? 'unknown';
  const untimed = (Number(iformat?.flags) & AVFMT_NOTIMESTAMPS) !== 0;
  markEncrypted(context, encryptedTracks);
  const reopen = (use: (reader: FormatContext) => void) => {
    const reader = new FormatContext();
    if (openFile(reader, input.path, completeness, shifts.hasOpenEdits) >= 0) use(reader);
    reader.closeInputSync();
  };
  const lateFirstPackets: Packet[] = [];
  if (format === 'mpegts' && completeness === 'whole' && streams.some(isUndescribed)) {
    reopen((reader) => lateFirstPackets.push(...describeLateStreams(context, reader)));
  }
  let unreadableVideos: ReadonlySet<number> = new Set();
  if (completeness === 'whole' && streams.some(isUndescribedVideo)) {
    reopen((reader) => {
      unreadableVideos = findUnreadableVideos(context, reader, bytes);
    });
  }
  // A reader of MP4 whose index is at the end has been there already.
  const readableBytes = completeness === 'whole' ? BigInt(bytes) : context.pbBytes;
  if (containerNamesCodec.has(format) && hasMpegAudio(context))
    reopen((reader) => identifyMpegAudioLayers(context, reader, readableBytes));
  if (lacksFlacHeader(context)) reopen((reader) => addFlacHeaders(context, reader, readableBytes));
  const { jobInput = inputIndex } = input;
  const sources = streams.map((stream): SourceStream => {
    const source = describeStream(stream, inputIndex, jobInput, listsAllSamples);
    if (unreadableVideos.has(stream.index)) return { ...source, unreadable: true };
    if (source.kind !== 'audio' || tracksBesideIamf?.has(stream.id) !== false) return source;
    const { code: _, ...others } = source;
    return { ...others, codec: 'iamf', lacksDecoder: true };
  });
  const media = streams.filter((stream) => isPlayable(stream, listsAllSamples));
  const lateStarts =
    format === matroska && completeness === 'whole' ? findLateStarts(context, media, reopen) : noStarts;
  const ptsSources = findPtsSources({ context, format, path: input.path, sources }, reopen);
  let dtsStarts: ReadonlyMap<number, number> = new Map();
  if (ptsSources.some((times) => times !== 'stored')) {
    reopen((reader) => {
      dtsStarts = findStartsFromDts(context, reader, ptsSources);
    });
  }
  const packedStart = packedAudioStart(input.path, format);
  if (format === 'mp3') for (const stream of streams) declareMp3Priming(stream);
  const taggedPriming = findTaggedPriming(context);
  const corrections = streams.map((stream) =>
    inOrder(endOpus(format, stream, listsAllSamples), timeCorrection(format, stream, shiftOf(stream))),
  );
  const readPacket = createPacketReader(context, corrections, lateFirstPackets);
  return {
    inputIndex,
    jobInput,
    name,
    path: input.path,
    context,
    readPacket: packedStart === undefined ? readPacket : readPackedAudio(readPacket, input.path, streams, packedStart),
    streams,
    sources: withLanguageTags({ format, path: input.path, streams, sources }, languageTags).map((source) => {
      return untimed || ptsSources[source.index] === 'unknown' ? { ...source, untimed: true } : source;
    }),
    format,
    sourceClock: packedStart === undefined ? sourceClockOf(format) : 'mpeg',
    mayJump: packedStart !== undefined || (Number(iformat?.flags) & AVFMT_TS_DISCONT) !== 0,
    untimed,
    ptsSources,
    starts: streams.map((stream) => {
      const { index } = stream;
      const start = lateStarts.has(index) ? lateStarts.get(index) : startOf(stream);
      return packedStart ?? dtsStarts.get(index) ?? start;
    }),
    completeness,
    bytes,
    hasStatedSize: input.hasStatedSize === true,
    expectedDuration: input.duration,
    excerptStart: input.excerptStart,
    pausedTrackIds: pausedTracks,
    ...(input.excerptStart === undefined
      ? declaredDurations()
      : { duration: undefined, streamDurations: streams.map(() => undefined) }),
  };

  /** Returns the seconds to add to the library's times of a stream. */
  function shiftOf({ id, index }: Stream): number {
    return (shifts.seconds.get(id) ?? 0) - (taggedPriming.get(index) ?? 0);
  }

  function startOf(stream: Stream): number | undefined {
    const start = ticksToSeconds(stream.startTime, stream.timeBase);
    return start === undefined ? undefined : start + shiftOf(stream);
  }

  /** Returns the durations that the header declares. Those in an excerpt are of its source. */
  function declaredDurations() {
    // FLV stores its header among its packets, which have been read only now.
    const duration =
      format === 'flv' ? microsecondsToSeconds(context.duration) : withoutDelay(headerDuration, format, streams);
    const isPlain = listsAllSamples || format !== isoFormat;
    return { duration, streamDurations: isPlain ? streamDurations : withoutStarts(streamDurations, streams) };
  }
}

/**
 * Creates the error for a file that could not be opened. The library returns one error for unknown formats, and another
 * for formats that are not on the allowlist in `open-file.ts`.
 */
async function createOpenError(result: number, name: string, libraryLog: LibraryLog): Promise<MillraceError> {
  const failure = await libraryLog.createError('input_unreadable', `${name} cannot be opened`, result, remedy);
  if (result !== AVERROR_INVALIDDATA && result !== AVERROR_EINVAL) return failure;
  const { code, reason = '' } = failure;
  return new MillraceError(code, `${name} is not a readable video or audio file. ${remedy}`, { reason });
}

/**
 * Subtracts the start times from the stream durations. In fragmented MP4, the library adds the start time of a stream
 * to its duration.
 */
function withoutStarts(durations: readonly (number | undefined)[], streams: readonly Stream[]): (number | undefined)[] {
  return durations.map((duration, at) => {
    const stream = streams[at];
    const start = stream === undefined ? 0 : (ticksToSeconds(stream.startTime, stream.timeBase) ?? 0);
    return duration === undefined || duration <= start ? duration : duration - Math.max(0, start);
  });
}

/**
 * Returns the duration in the header without the encoder delay. FFmpeg's Matroska muxer includes the delay in the
 * duration of the file, and FFmpeg's demuxer places it before the start.
 */
function withoutDelay(
  expectedDuration: number | undefined,
  format: string,
  streams: readonly Stream[],
): number | undefined {
  if (expectedDuration === undefined || !format.startsWith('matroska')) return expectedDuration;
  const delays = streams.map(({ codecpar: { initialPadding, sampleRate } }) => {
    return sampleRate > 0 ? initialPadding / sampleRate : 0;
  });
  return expectedDuration - Math.max(0, ...delays);
}

/**
 * Reads the declared size and duration of a file.
 *
 * @throws MillraceError `input_incomplete` when the file is clearly truncated.
 */
export function refuseTruncated(
  { path, hasStatedSize }: Partial<Pick<MediaInput, 'hasStatedSize'>> & Pick<MediaInput, 'path'>,
  name: string,
): DeclaredExtent {
  const declaredExtent = withFile(path, readDeclaredExtent);
  if (declaredExtent.truncationReason === undefined) return declaredExtent;
  throw incompleteInputError(`${name} is cut short: ${declaredExtent.truncationReason}`, hasStatedSize === true);
}

/** Demuxers that know the codec of a stream only from the container, not from the data of the stream. */
const containerNamesCodec = new Set(['mpegts', isoFormat]);

const remedy = 'Check that the link points to a complete video or audio file.';

/** FFmpeg's name of the Matroska and WebM demuxer. */
const matroska = 'matroska,webm';
const noStarts: ReadonlyMap<number, number | undefined> = new Map();

/** Whether a stream is video or audio that may have frames. */
function isPlayable(stream: Stream, framesListed: boolean): boolean {
  const { codecType } = stream.codecpar;
  const plays = codecType === AVMEDIA_TYPE_VIDEO || codecType === AVMEDIA_TYPE_AUDIO;
  return plays && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) && !(framesListed && stream.nbFrames === 0n);
}

/** Refuses files that are often sent in place of media, and reports what they are. */
function refuseNonMedia(source: ByteSource, name: string): void {
  if (source.size === 0) throw new MillraceError('input_unreadable', `${name} is empty. ${remedy}`);
  const what = nonMediaKind(source.read(0, sniffLength));
  if (what !== undefined) throw new MillraceError('input_unreadable', `${name} is ${what}, not media. ${remedy}`);
}
