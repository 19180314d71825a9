import type { OutputNote } from '../../../contract/output-notes.ts';
import type { TagDigests } from '../tags/tags.ts';
import type { ClipReport } from '../timing/clip-rules.ts';
import type { CueStats } from '../timing/cue-stats.ts';
import type { MediaEnds } from '../timing/duration-rules.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { Extent } from '../timing/timeline.ts';

/** A stream of an input, with the statistics of the packets that were read. */
export interface SourceStats {
  /** Index of its file among the task's inputs, from 0. Streams of one file share a clock. */
  readonly file: number;
  /** Index of the job's input, from 0, for messages. */
  readonly input: number;
  /** Number of packets that yielded no frame to encode. */
  readonly undecoded: number;
  /** Whether its times count from the beginning of the presentation, so that other inputs may share its clock. */
  readonly hasOrigin?: boolean;
  /** Absent if there were no packets. */
  readonly stats?: StreamStats;
  /** When it plays in the mix that it is part of, according to the mixer. */
  readonly mixed?: Extent;
}

/** The sources of a stream of a result. */
export interface StreamOrigin {
  /** A mix plays all its sources from the beginning of the result. Other streams have one source. */
  readonly action: 'copy' | 'encode' | 'mix';
  readonly sources: readonly SourceStats[];
}

/** The sources of the cues in a subtitle stream of a result. */
export interface CueOrigin {
  /** Index of its file among the task's inputs, from 0. */
  readonly file: number;
  /** Statistics of the cues that were read; absent without cues. */
  readonly read?: CueStats;
  /**
   * Statistics of the cues in the result, on its clock; absent without cues. If cues overlap, there may be more
   * samples.
   */
  readonly writtenCues?: CueStats;
  /** Number of cues that are not in the result. */
  readonly missing: number;
  /**
   * Whether start times cannot be compared: cues were shortened, or the input has several parts or a clock that may
   * jump.
   */
  readonly moved: boolean;
}

/** A stream of a media file. */
export interface StreamSummary {
  readonly kind: 'video' | 'audio' | 'subtitle';
  /** Codec name as used by the engine (`h264`, `aac`, `opus` …). */
  readonly codec: string;
  /** Seconds from the start of its first packet to the end of its last packet; absent if unknown. */
  readonly duration?: number;
  /** Timing of its packets; absent for subtitles, which are sparse, and if the engine cannot determine it. */
  readonly stats?: StreamStats;
  /**
   * Whether a decoder can begin with its first packet, for video of a finished file; absent if the packet does not tell.
   */
  readonly beginsDecodable?: boolean;
  /**
   * For subtitles: the packets that display something; absent if there are none or the engine cannot determine them.
   */
  readonly cues?: CueStats;
}

/** A stream of a result, as it was passed to the muxer. */
export interface WrittenStream extends StreamSummary {
  /** Its sources; absent for subtitles. */
  readonly origin?: StreamOrigin;
  /** The sources of its cues, for subtitles. */
  readonly cueOrigin?: CueOrigin;
}

/** Report of an operation. */
export interface ProcessReport {
  readonly streams: readonly WrittenStream[];
  /** Duration of the longest written stream, in seconds. */
  readonly duration: number;
  /** Size of the result in bytes. */
  readonly bytes: number;
  /** Number of chapters. */
  readonly chapters: number;
  /** Digests of the tags that the job adds; absent if it adds no tags. */
  readonly tags?: TagDigests;
  /** SHA-256 of the cover that the job adds, in hexadecimal; absent without one. */
  readonly cover?: string;
  /** Ends of the inputs, if the task has a duration that depends on them. */
  readonly ends?: MediaEnds;
  /** The bounds of the clip, if the task has one. The times of the sources then count from the start of the media. */
  readonly clip?: ClipReport;
  /** Parts that were left out or changed. */
  readonly notes: readonly OutputNote[];
}

/** Description of a file. */
export interface ProbeReport {
  readonly streams: readonly StreamSummary[];
  /** Duration in seconds. */
  readonly duration: number;
  /** Size of the file in bytes. */
  readonly bytes: number;
  /** Number of chapters. */
  readonly chapters: number;
  /** Digests of its tags; absent if it has no tags. */
  readonly tags?: TagDigests;
  /** SHA-256 of its front cover, in hexadecimal; absent without one. */
  readonly cover?: string;
}
