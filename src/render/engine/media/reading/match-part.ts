import type { OutputContainer } from '../../../../contract/containers.ts';
import { MillraceError } from '../../../../contract/errors.ts';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import { isoFormat } from '../../formats/demuxer-names.ts';
import type { ProcessTask } from '../../tasks/task.ts';
import { allStreamOperations, isMedia, streamUse } from '../../track-plan/operation-streams.ts';
import type { EngineOperation, SourceStream } from '../../track-plan/source-stream.ts';
import { formatDifference, pairStreams, type StreamFormat } from '../../track-plan/stream-format.ts';
import type { Track } from '../../track-plan/track.ts';
import type { MediaInput } from '../input/media-input.ts';
import { orientationOf } from '../input/stream-orientation.ts';

/** Properties of the first part with which later parts of an input are compared. */
export interface FirstPart {
  readonly format: string;
  readonly streamFormats: readonly StreamFormat[];
  /** Indexes of the streams that are copied. */
  readonly copiedIndexes: ReadonlySet<number>;
  /** Kinds of copied streams, of which every part must have as many as the first. */
  readonly copiedKinds: readonly ('video' | 'audio')[];
  readonly ext: OutputContainer;
  readonly operation: EngineOperation;
}

/** How the streams of a later part continue those of the first. */
interface PartMatch {
  /** Indexes of the matching streams, by the first part's streams. */
  readonly pairs: readonly (number | undefined)[];
  /** Streams that the first part lacks and that the operation would keep. */
  readonly leftOut: readonly SourceStream[];
  readonly notes: readonly OutputNote[];
}

/** Describes the first part for comparison with later ones, which are opened after it is closed. */
export function describeFirstPart(
  input: MediaInput,
  tracks: readonly Track[],
  { operation, output }: Pick<ProcessTask, 'operation' | 'output'>,
): FirstPart {
  const usedSources = tracks.flatMap(({ action, sources }) => {
    return sources.filter((source) => source.input === input.inputIndex).map((source) => ({ action, source }));
  });
  const copies = usedSources.filter(({ action }) => action === 'copy').map(({ source }) => source);
  const all = allStreamOperations.has(operation.type);
  const copiedKinds = (['video', 'audio'] as const).filter((kind) => {
    return all ? operation.copyStreams : copies.some((source) => source.kind === kind && !source.cover);
  });
  return {
    format: input.format,
    streamFormats: streamFormatsOf(input),
    copiedIndexes: new Set(copies.map(({ index }) => index)),
    copiedKinds,
    ext: output.ext as OutputContainer,
    operation: operation.type,
  };
}

/**
 * Finds the streams of a later part that continue those of the first.
 *
 * @throws MillraceError `incompatible_codecs` when a stream that must be copied cannot be.
 */
export function matchPart(first: FirstPart, input: MediaInput): PartMatch {
  const formats = streamFormatsOf(input);
  const pairs = pairStreams(
    first.streamFormats.map(({ source }) => source),
    input.sources,
  );
  const reason = copyObstacle(first, formats, pairs, input);
  if (reason !== undefined) {
    throw new MillraceError(
      'incompatible_codecs',
      `${input.name} cannot be copied after part 1: ${reason}. Set copyStreams to false to re-encode all parts.`,
    );
  }
  const leftOut = input.sources.filter((source) => {
    return !source.empty && !pairs.includes(source.index) && streamUse(source, first.operation) !== 'excluded';
  });
  return { pairs, leftOut, notes: leftOut.map(createNote) };
}

/**
 * Refuses a part that would contribute nothing to the result, given the streams that are left out of it. Otherwise the
 * time of this part would be missing from the result.
 *
 * @throws MillraceError `incompatible_codecs` if video or audio is left out of the part.
 */
export function refuseUnmatched({ name }: MediaInput, leftOut: readonly SourceStream[]): void {
  const kind = leftOut.find(isMedia)?.kind;
  if (kind === undefined) return;
  const other = kind === 'audio' ? 'video' : 'audio';
  throw new MillraceError(
    'incompatible_codecs',
    `${name} has only ${kind}, but part 1 has none, so the result could not include it. Use extract_${other}, or parts that all have ${other}.`,
  );
}

/** Returns why a part cannot be copied after the first, as a clause. */
function copyObstacle(
  first: FirstPart,
  formats: readonly StreamFormat[],
  pairs: readonly (number | undefined)[],
  { format }: MediaInput,
): string | undefined {
  for (const kind of first.copiedKinds) {
    const [count, firstCount] = [formats, first.streamFormats].map((streams) => countStreams(streams, kind));
    if (count !== firstCount)
      return `it has ${count} ${kind} ${count === 1 ? 'stream' : 'streams'} instead of ${firstCount}`;
  }
  if (first.copiedIndexes.size > 0 && format !== first.format) {
    return `it is ${containerName(format)}, but part 1 is ${containerName(first.format)}`;
  }
  for (const [at, own] of first.streamFormats.entries()) {
    const later = formats[pairs[at] ?? -1];
    if (later === undefined || !first.copiedIndexes.has(own.source.index)) continue;
    const reason = formatDifference(own, later, first.ext);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function countStreams(streams: readonly StreamFormat[], kind: SourceStream['kind']): number {
  return streams.filter(({ source }) => source.kind === kind && !source.cover && !source.empty).length;
}

function containerName(format: string): string {
  const names: Readonly<Record<string, string>> = { mpegts: 'MPEG-TS', [isoFormat]: 'MP4' };
  return names[format] ?? format;
}

function createNote({ codec, kind, jobInput }: SourceStream): OutputNote {
  const message = `The ${codec} ${kind} in a later part of input ${jobInput + 1} was left out: part 1 has no such stream.`;
  return { code: 'stream_left_out', message, input: jobInput };
}

function streamFormatsOf({ streams, sources }: MediaInput): StreamFormat[] {
  return sources.map((source, at) => {
    const stream = streams[at];
    if (stream === undefined) throw new Error('a described stream is missing');
    const { width, height, sampleRate, channels, extradata: setup } = stream.codecpar;
    const orientation = orientationOf(stream);
    // The extradata of an attachment is a whole file.
    const extradata = isMedia(source) ? setup : null;
    return { source, width, height, orientation, sampleRate, channels, extradata };
  });
}
