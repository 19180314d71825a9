import { AVDISCARD_ALL } from 'node-av/constants';
import { isContinuous, type MediaInput } from '../input/media-input.ts';
import type { Sink, TaskContext } from '../sink.ts';
import { microsecondsToSeconds } from '../timestamps.ts';
import { DamageObserver } from './damage-observer.ts';
import type { FollowingFile, InputClock } from './input-clock.ts';
import type { PartReader } from './pump.ts';
import { createSegmentVerifier } from './segment-verifier.ts';
import { type SequenceMember, totalDeclaredDuration } from './sequence-member.ts';
import { StreamOrder } from './stream-order.ts';

/** Creates a reader, and makes the demuxer skip streams that nothing needs. */
export function createReader(
  member: SequenceMember,
  part: number,
  { input, sinks, isRead }: FollowingFile & { readonly sinks: ReadonlyMap<number, Sink> },
  clock: InputClock,
  { growingFiles }: TaskContext,
): PartReader {
  const readStreams = input.streams.map(({ index }) => isRead(index));
  for (const stream of input.streams) if (readStreams[stream.index] !== true) stream.discard = AVDISCARD_ALL;
  const hasSeveralParts = member.parts.length > 1;
  const own = input.expectedDuration ?? input.duration ?? microsecondsToSeconds(input.context.duration);
  const duration = (hasSeveralParts ? totalDeclaredDuration(member) : own) ?? 0;
  return {
    input,
    clock,
    order: new StreamOrder(),
    sinks,
    readStreams,
    duration: member.cutter?.lengthIn(duration) ?? duration,
    cutter: member.cutter,
    isSeeked: member.isSeeked && part === 0,
    isLast: part + 1 === member.parts.length,
    damage: new DamageObserver(input, clock.begin),
    segments: createSegmentVerifier(input, clock, member.parts[part]?.segments, growingFiles.get(member.file + part)),
    growingFile: growingFiles.get(member.file + part),
  };
}

/** Returns a function that reports whether a stream of a file is read. */
export function createStreamFilter(input: MediaInput, sinks: ReadonlyMap<number, Sink>): (stream: number) => boolean {
  return (stream) => sinks.has(stream) || isMeasured(input, stream, sinks.size === 0);
}

/**
 * Whether an unused stream is read anyway. If a file declares its duration only as a whole and not for each stream,
 * only all streams together show that it is complete. The duration that a playlist declares also covers all streams. If
 * no stream of a file is used, all of them determine its duration.
 */
function isMeasured(input: MediaInput, at: number, noneUsed: boolean): boolean {
  const declaredAsWhole =
    input.duration !== undefined && input.streamDurations.every((duration) => duration === undefined);
  // Subtitles may outlast video and audio, and count towards the declared duration.
  return (
    ((declaredAsWhole || noneUsed || input.expectedDuration !== undefined) && isContinuous(input, at)) ||
    (declaredAsWhole && input.sources[at]?.kind === 'subtitle')
  );
}
