import type { OutputNote } from '../../../contract/output-notes.ts';
import type { CueStats } from '../timing/cue-stats.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { Extent } from '../timing/timeline.ts';

/** A stream of an input, as its packets were read. */
export interface SourceStats {
  /** Place of its file among the task's inputs, from 0. Streams of one file share a clock. */
  readonly file: number;
  /** The job's input, from 0, for messages. */
  readonly input: number;
  /** Packets that gave no frame to be encoded. */
  readonly undecoded: number;
  /** Absent without packets. */
  readonly stats?: StreamStats;
  /** When it plays in the mix that it is part of, by the mixer's account. */
  readonly mixed?: Extent;
}

/** What a stream of a result was made from. */
export interface StreamOrigin {
  /** A mix plays all its sources from the beginning of the result; the others have one source. */
  readonly action: 'copy' | 'encode' | 'mix';
  readonly sources: readonly SourceStats[];
}

/** What the cues of a subtitle stream of a result were made from. */
export interface CueOrigin {
  /** Place of its file among the task's inputs, from 0. */
  readonly file: number;
  /** Its cues as they were read; absent without cues. */
  readonly read?: CueStats;
  /** The cues that are in the result, on its clock; absent without cues. Where cues overlap, samples may be more. */
  readonly writtenCues?: CueStats;
  /** Cues that are not in the result. */
  readonly missing: number;
  /** Whether starts cannot be compared: cues were cut, or the input has several parts, or a clock that may jump. */
  readonly moved: boolean;
}

/** A stream of a media file. */
export interface StreamSummary {
  readonly kind: 'video' | 'audio' | 'subtitle';
  /** Codec name as the engine calls it (`h264`, `aac`, `opus` …). */
  readonly codec: string;
  /** Seconds from its first to the end of its last packet; absent where the engine cannot tell. */
  readonly duration?: number;
  /** Timing of its packets; absent for subtitles, which are sparse, and if the engine cannot determine it. */
  readonly stats?: StreamStats;
  /** Of subtitles: the packets that show something; absent without any, and if the engine cannot determine them. */
  readonly cues?: CueStats;
}

/** A stream of a result, as it was handed to the muxer. */
export interface WrittenStream extends StreamSummary {
  /** What it was made from; absent for subtitles. */
  readonly origin?: StreamOrigin;
  /** What the cues of subtitles were made from. */
  readonly cueOrigin?: CueOrigin;
}

/** What an operation did. */
export interface ProcessReport {
  readonly streams: readonly WrittenStream[];
  /** Seconds, of the longest stream written. */
  readonly duration: number;
  /** Bytes of the result. */
  readonly bytes: number;
  /** Chapters that it has. */
  readonly chapters: number;
  /** What was left out or changed. */
  readonly notes: readonly OutputNote[];
}

/** What a file holds. */
export interface ProbeReport {
  readonly streams: readonly StreamSummary[];
  /** Seconds. */
  readonly duration: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Chapters that it has. */
  readonly chapters: number;
}
