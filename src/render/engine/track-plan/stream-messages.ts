import type { OutputContainer } from '../../../contract/containers.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import type { SourceStream } from './source-stream.ts';

/** A stream in words: `the vp9 video (input 1, stream 0)`. */
export function streamLabel(stream: SourceStream): string {
  const what = stream.cover ? 'cover picture' : stream.kind;
  return `the ${stream.codec} ${what} (input ${stream.jobInput + 1}, stream ${stream.index})`;
}

/** Names streams in messages. */
export function streamList(streams: readonly SourceStream[]): string {
  return streams.map(streamLabel).join(', ');
}

/** Turns a clause into a sentence. */
export function toSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

/** A note that a stream is not in the result; the reason is a clause. */
export function leftOutNote(stream: SourceStream, reason: string): OutputNote {
  const message = toSentence(`${streamLabel(stream)} was left out: ${reason}`);
  return { code: 'stream_left_out', message, input: stream.jobInput };
}

/** Creates the error `input_unreadable` about an input. */
export function unreadableInputError(message: string, input: number): MillraceError {
  return new MillraceError('input_unreadable', message, { input });
}

/** The error about streams that do not fit. It has an `input` if all of them belong to one. */
export function incompatibleCodecsError(
  ext: OutputContainer,
  what: string,
  remedy: string,
  streams: readonly SourceStream[],
): MillraceError {
  const [input, ...others] = new Set(streams.map(({ jobInput }) => jobInput));
  return new MillraceError(
    'incompatible_codecs',
    `Processing failed (incompatible codecs for the container ${ext}): ${what}; ${remedy}.`,
    input === undefined || others.length > 0 ? {} : { input },
  );
}

/** The error about video that cannot be copied because nothing says when its pictures are shown. */
export function untimedError(streams: readonly SourceStream[], ext: OutputContainer): MillraceError {
  const what = `${streamList(streams)} cannot be copied because its file does not say when each picture is shown`;
  return incompatibleCodecsError(ext, what, 'set copyStreams false to re-encode', streams);
}
