import type { FormatContext, Stream } from 'node-av/lib';
import type { StreamSummary } from '../../tasks/report.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import type { ReadPacket } from './packet-reader.ts';
import type { PtsSource } from './pts-source.ts';

/** A file that is being read. */
export interface MediaInput {
  /** Its place among the task's inputs, from 0. */
  readonly inputIndex: number;
  /** Index of the job's input that it belongs to. */
  readonly jobInput: number;
  /** What it is called in messages: `Input 1`. */
  readonly name: string;
  readonly path: string;
  readonly context: FormatContext;
  /** Reads its next packet. */
  readonly readPacket: ReadPacket;
  readonly streams: readonly Stream[];
  readonly sources: readonly SourceStream[];
  /** Demuxer as FFmpeg names it. */
  readonly format: string;
  /** Whether its timestamps may jump, as those of MPEG-TS do. */
  readonly mayJump: boolean;
  /** Whether it has none, as raw H.264 does. */
  readonly untimed: boolean;
  /** What it says about when the frames of each stream are shown. */
  readonly ptsSources: readonly PtsSource[];
  /** Seconds on its own clock at which each stream begins; absent where nothing tells. */
  readonly starts: readonly (number | undefined)[];
  /** Whether all of it was there when it was opened; else these are the bytes that there were. */
  readonly completeness: Completeness;
  readonly bytes: number;
  /** Seconds that the source promised. */
  readonly expectedDuration: number | undefined;
  /** Seconds that the header promises, of the whole file and of each stream. */
  readonly duration: number | undefined;
  readonly streamDurations: readonly (number | undefined)[];
  /** Ids of the MP4 tracks that pause between two edits, which the library plays wrong. */
  readonly pausedTrackIds: ReadonlySet<number>;
}

/** Whether all of a file is there. */
export type Completeness = 'whole' | 'growing';

/** Whether a stream has frames from its beginning to its end. */
export function isContinuous({ sources }: MediaInput, at: number): boolean {
  const source = sources[at];
  return source !== undefined && !source.cover && (source.kind === 'video' || source.kind === 'audio');
}

/** What kind of stream is told of in reports: what plays, but no covers and nothing that only travels along. */
export function reportedKind({ kind, cover }: SourceStream): StreamSummary['kind'] | undefined {
  return !cover && (kind === 'video' || kind === 'audio' || kind === 'subtitle') ? kind : undefined;
}
