import type { FormatContext, Stream } from 'node-av/lib';
import type { StreamSummary } from '../../tasks/report.ts';
import type { SourceClock } from '../../timing/clock-turns.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { ReadPacket } from './packet-reader.ts';
import type { PtsSource } from './pts-source.ts';

/** A file that is being read. */
export interface MediaInput {
  /** Index among the task's inputs. */
  readonly inputIndex: number;
  /** Index of the job's input that it belongs to. */
  readonly jobInput: number;
  /** Name for messages: `Input 1`. */
  readonly name: string;
  readonly path: string;
  readonly context: FormatContext;
  /** Reads its next packet. */
  readonly readPacket: ReadPacket;
  readonly streams: readonly Stream[];
  readonly sources: readonly SourceStream[];
  /** FFmpeg's name of the demuxer. */
  readonly format: string;
  /** What its timestamps count from. */
  readonly sourceClock: SourceClock;
  /** Whether its timestamps may jump, as in MPEG-TS. */
  readonly mayJump: boolean;
  /** Whether it has no timestamps, as in raw H.264. */
  readonly untimed: boolean;
  /** Which timestamps it stores for the frames of each stream. */
  readonly ptsSources: readonly PtsSource[];
  /** Start time of each stream on the file's own clock, in seconds; absent if unknown. */
  readonly starts: readonly (number | undefined)[];
  /** Whether the file was complete when it was opened, or still growing. */
  readonly completeness: Completeness;
  readonly bytes: number;
  /** Whether its source stated its size, and all of its bytes have arrived. */
  readonly hasStatedSize: boolean;
  /** Duration that the source declared, in seconds. */
  readonly expectedDuration: number | undefined;
  /** For an excerpt: time from the beginning of its source to its first timestamp, in seconds. */
  readonly excerptStart: number | undefined;
  /** Durations that the header declares for the whole file and for each stream, in seconds. */
  readonly duration: number | undefined;
  readonly streamDurations: readonly (number | undefined)[];
  /** IDs of MP4 tracks that pause between two edits, which the library plays incorrectly. */
  readonly pausedTrackIds: ReadonlySet<number>;
}

/** Whether a file is complete or still growing. */
export type Completeness = 'whole' | 'growing';

/** Whether a stream has frames from its beginning to its end. */
export function isContinuous({ sources }: MediaInput, at: number): boolean {
  const source = sources[at];
  return source !== undefined && !source.cover && (source.kind === 'video' || source.kind === 'audio');
}

/** Returns the kind under which reports list a stream; undefined for covers and for streams that do not play. */
export function reportedKind({ kind, cover }: SourceStream): StreamSummary['kind'] | undefined {
  return !cover && (kind === 'video' || kind === 'audio' || kind === 'subtitle') ? kind : undefined;
}
