import type { InputPart } from '../../tasks/task.ts';
import type { CueStats } from '../../timing/cue-stats.ts';
import type { PartStats } from '../../verification/concatenate-stats.ts';
import type { FirstPart } from './match-part.ts';
import type { MissingStreams } from './missing-streams.ts';
import type { PartReader } from './pump.ts';
import type { SequenceMember } from './sequence-member.ts';
import { sectionNumber } from './sequence-member.ts';

/** The reading state of a member. */
export interface MemberProgress {
  readonly member: SequenceMember;
  reader: PartReader;
  /** Index of the current file. */
  part: number;
  /** Whether no later file is needed, because the clip has ended. */
  isOver: boolean;
  /** Properties for comparison with later parts; undefined while the first part is read. */
  first?: FirstPart;
  /** Indexes of the streams that continue those of the first part in the current part, by the first part's streams. */
  pairs: readonly (number | undefined)[];
  /** Duration of the previous parts, in seconds. */
  playedSeconds: number;
  /**
   * Time on the result's clock, in seconds, at which the next file begins according to the playlist; NaN if unknown.
   */
  declaredStart: number;
  /** Statistics of the parts that were read. */
  readonly stats: PartStats[];
  /** Statistics of the cues of each stream, by part. */
  readonly cues: (readonly (CueStats | undefined)[])[];
  readonly missing: MissingStreams;
}

/** Returns the part that is being read. */
export function getCurrentPart({ member, part }: MemberProgress): InputPart | undefined {
  return member.parts[part];
}

/** Returns the part after the one that is being read; undefined if none is needed. */
export function getNextPart({ member, part, isOver }: MemberProgress): InputPart | undefined {
  return isOver ? undefined : member.parts[part + 1];
}

/** Collects the statistics of the part that was read. */
export function collectPartStats({ member, part, reader, pairs }: MemberProgress): PartStats {
  const { input, clock } = reader;
  const { duration } = member.parts[part] ?? {};
  return {
    streams: clock.stats.all(),
    video: input.sources.map(({ kind }) => kind === 'video'),
    pairs,
    starts: input.starts,
    clock: input.sourceClock,
    section: sectionNumber(member.parts[part]),
    ...(duration === undefined ? {} : { declaredDuration: duration }),
  };
}

/** Collects the cues of a file that was read, by the streams of the first part. */
export function collectPartCues({ reader, pairs }: MemberProgress): (CueStats | undefined)[] {
  return pairs.map((stream) => (stream === undefined ? undefined : reader.clock.cues[stream]?.stats()));
}
