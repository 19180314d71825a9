import type { Stream } from 'node-av/lib';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { NamedStream } from '../sink.ts';
import type { MediaInput } from './media-input.ts';

/** Returns the library's stream for a source stream. */
export function findStream({ input, index }: SourceStream, inputs: readonly MediaInput[]): Stream {
  const stream = inputs[input]?.streams[index];
  if (stream === undefined) throw new Error(`input ${input} has no stream ${index}`);
  return stream;
}

/** Returns a stream's name for messages: `The h264 video of input 1`. */
export function streamName({ input, codec, kind }: SourceStream, inputs: readonly MediaInput[]): string {
  return `The ${codec} ${kind} of ${inputs[input]?.name.toLowerCase() ?? 'the input'}`;
}

/** Returns the library's stream for a source stream, with its name. */
export function namedStream(source: SourceStream, inputs: readonly MediaInput[]): NamedStream {
  return { stream: findStream(source, inputs), label: streamName(source, inputs) };
}
