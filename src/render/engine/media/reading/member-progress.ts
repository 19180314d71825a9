import type { InputPart } from '../../tasks/task.ts';
import type { CueStats } from '../../timing/cue-stats.ts';
import type { PartStats } from '../../verification/concatenate-stats.ts';
import type { FirstPart } from './match-part.ts';
import type { MissingStreams } from './missing-streams.ts';
import type { PartReader } from './pump.ts';
import type { SequenceMember } from './sequence-member.ts';
import { sectionNumber } from './sequence-member.ts';

/** The state of a member while it is read. */
export interface MemberProgress {
  readonly member: SequenceMember;
  reader: PartReader;
  /** Index of the file that is read. */
  part: number;
  /** What later parts are compared with; undefined while the first is read. */
  first?: FirstPart;
  /** By the first part's stream: the index of the stream that continues it in the current part. */
  pairs: readonly (number | undefined)[];
  /** Duration of the parts before, in seconds. */
  playedSeconds: number;
  /** Seconds on the result's clock at which the next file begins by the playlist; NaN if it does not say. */
  declaredStart: number;
  /** The statistics of the parts that were read. */
  readonly stats: PartStats[];
  /** By part: the statistics of the cues of each stream. */
  readonly cues: (readonly (CueStats | undefined)[])[];
  readonly missing: MissingStreams;
}

/** Returns the part that is being read. */
export function getCurrentPart({ member, part }: MemberProgress): InputPart | undefined {
  return member.parts[part];
}

/** Returns the part after the one that is being read. */
export function getNextPart({ member, part }: MemberProgress): InputPart | undefined {
  return member.parts[part + 1];
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
    format: input.format,
    section: sectionNumber(member.parts[part]),
    ...(duration === undefined ? {} : { declaredDuration: duration }),
  };
}

/** The cues of a file that was read, by the streams of the first part. */
export function collectPartCues({ reader, pairs }: MemberProgress): (CueStats | undefined)[] {
  return pairs.map((stream) => (stream === undefined ? undefined : reader.clock.cues[stream]?.stats()));
}
