import { AVDISCARD_ALL } from 'node-av/constants';
import { isContinuous, type OpenInput } from '../input/opened-input.ts';
import type { Sink, TaskContext } from '../sink.ts';
import { toSeconds } from '../timestamps.ts';
import type { Follower, InputClock } from './input-clock.ts';
import type { Reader } from './pump.ts';
import { segmentReader } from './segment-reader.ts';
import { expectedDurationOf, type SequenceMember } from './sequence-member.ts';

/** Creates a reader, and has the demuxer skip streams that nothing needs. */
export function readerOf(
  member: SequenceMember,
  part: number,
  { input, sinks, isRead }: Follower & { readonly sinks: ReadonlyMap<number, Sink> },
  clock: InputClock,
  { growingFiles }: TaskContext,
): Reader {
  const read = input.streams.map(({ index }) => isRead(index));
  for (const stream of input.streams) if (read[stream.index] !== true) stream.discard = AVDISCARD_ALL;
  const several = member.parts.length > 1;
  const own = input.expectedDuration ?? input.duration ?? toSeconds(input.context.duration);
  return {
    input,
    clock,
    sinks,
    read,
    length: (several ? expectedDurationOf(member) : own) ?? 0,
    last: part + 1 === member.parts.length,
    segments: segmentReader(input, clock, member.parts[part]?.segments, growingFiles.get(member.file + part)),
    growing: growingFiles.get(member.file + part),
  };
}

/** Which streams of a file are read. */
export function readStreams(input: OpenInput, sinks: ReadonlyMap<number, Sink>): (stream: number) => boolean {
  return (stream) => sinks.has(stream) || measured(input, stream, sinks.size === 0);
}

/**
 * Whether a stream is read even if it is not used. If a file declares its duration as a whole and not for each stream,
 * only all streams together show that it is complete, and a playlist declares the duration of all of them. If no stream
 * of a file is used, all of them give its duration.
 */
function measured(input: OpenInput, at: number, unused: boolean): boolean {
  const together = input.duration !== undefined && input.streamDurations.every((duration) => duration === undefined);
  // Subtitles may outlast video and audio, and count towards the declared duration.
  return (
    ((together || unused || input.expectedDuration !== undefined) && isContinuous(input, at)) ||
    (together && input.sources[at]?.kind === 'subtitle')
  );
}
