import type { OutputContainer } from '../../../contract/containers.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import type { SourceStream } from './source-stream.ts';

/** Describes a stream for messages: `the vp9 video (input 1, stream 0)`, `subtitles 2`. */
export function streamLabel(stream: SourceStream): string {
  const addition = stream.subtitleFile?.addition;
  if (addition !== undefined) return additionLabel(addition);
  const what = stream.cover ? 'cover image' : stream.kind;
  const contents = stream.code === undefined ? `${stream.codec} ${what}` : `${what} of unknown codec ${stream.code}`;
  return `the ${contents} (input ${stream.jobInput + 1}, stream ${stream.index})`;
}

/** Describes subtitles that the job adds for messages, given their index. */
export function additionLabel(addition: number): string {
  return `subtitles ${addition + 1}`;
}

/** Lists streams for messages. */
export function streamList(streams: readonly SourceStream[]): string {
  return streams.map(streamLabel).join(', ');
}

/** Turns a clause into a sentence. */
export function toSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

/** Creates a note that a stream is not in the result. The reason is a clause. */
export function leftOutNote(stream: SourceStream, reason: string): OutputNote {
  const addition = stream.subtitleFile?.addition;
  if (addition !== undefined) return additionLeftOutNote(addition, reason);
  const message = toSentence(`${streamLabel(stream)} was left out: ${reason}`);
  return { code: 'stream_left_out', message, input: stream.jobInput };
}

/** Creates a note that subtitles that the job adds are not in the result. The reason is a clause. */
export function additionLeftOutNote(addition: number, reason: string): OutputNote {
  return { code: 'subtitles_left_out', message: toSentence(`${additionLabel(addition)} were left out: ${reason}`) };
}

/** Creates an `input_unreadable` error about an input. */
export function unreadableInputError(message: string, input: number): MillraceError {
  return new MillraceError('input_unreadable', message, { input });
}

/** Returns why a stream is empty, as a clause. */
export function emptinessOf(stream: SourceStream): string {
  return hasNoDescription(stream)
    ? 'its file does not describe it'
    : 'no frame of it was found when the file was opened';
}

/** Whether a file has a track without a sample description, so that nothing tells its codec. */
function hasNoDescription({ codec, code, empty }: SourceStream): boolean {
  return empty && codec === 'unknown' && code === undefined;
}

/**
 * Creates the error about an input whose streams have no frames.
 *
 * @param reason - default: that the streams tell.
 */
export function noFramesError(
  name: string,
  streams: readonly SourceStream[],
  input: number,
  reason?: NoFramesReason,
): MillraceError {
  const { why, remedy } = reason ?? (streams.every(hasNoDescription) ? noDescriptions : onlyHeaders);
  return unreadableInputError(`${name} contains no frames of ${streamList(streams)}: ${why}. ${remedy}`, input);
}

/** Why an input has no frames, as a clause, and what to do. */
interface NoFramesReason {
  readonly why: string;
  readonly remedy: string;
}

const checkLink = 'Check that the link points to a complete video or audio file.';
const onlyHeaders: NoFramesReason = { why: 'it has only their headers', remedy: checkLink };
const noDescriptions: NoFramesReason = { why: 'it does not describe them', remedy: checkLink };

/** A fragmented MP4 file without its fragments. */
export const initializationSegment: NoFramesReason = {
  why: 'it is an initialization segment, without the segments that follow it',
  remedy: 'Use the link of the whole file, or of the playlist of its segments.',
};

/** Creates the error about streams that do not fit. It has an `input` if all of them belong to one input. */
export function incompatibleCodecsError(
  ext: OutputContainer,
  what: string,
  remedy: string,
  streams: readonly SourceStream[],
): MillraceError {
  const [input, ...others] = new Set(streams.map(({ jobInput }) => jobInput));
  return new MillraceError(
    'incompatible_codecs',
    `Processing failed (incompatible codecs for the container ${ext}): ${what}. ${toSentence(remedy)}`,
    input === undefined || others.length > 0 ? {} : { input },
  );
}

/** Creates the error about video that cannot be copied because its file contains no presentation times. */
export function untimedError(streams: readonly SourceStream[], ext: OutputContainer): MillraceError {
  const what = `${streamList(streams)} cannot be copied because its file does not contain the presentation time of each frame`;
  return incompatibleCodecsError(ext, what, 'set copyStreams to false to re-encode', streams);
}
