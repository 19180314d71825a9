import type { InputPart } from '../../tasks/task.ts';
import type { EngineOperation } from '../../track-plan/source-stream.ts';
import type { PartsOfInput } from '../input/open-part.ts';
import type { OpenInput } from '../input/opened-input.ts';
import type { Sink } from '../sink.ts';
import type { InputClock } from './input-clock.ts';
import type { FirstPart } from './match-part.ts';

/** An input that a {@link PartSequence} reads. */
export interface SequenceMember extends PartsOfInput {
  readonly operation: EngineOperation;
  /** Describes the first part, while it is open. */
  readonly describe: () => FirstPart;
  readonly input: OpenInput;
  readonly clock: InputClock;
  /** Where the packets of the first part's streams go, by their index. */
  readonly sinks: ReadonlyMap<number, Sink>;
}

/** Returns the section number of a part; 0 if it has none. */
export function sectionOf(part: InputPart | undefined): number {
  return part?.section ?? 0;
}

/** Returns the declared seconds of a part; NaN if there are none. */
export function durationOf(part: InputPart | undefined): number {
  return part?.duration ?? Number.NaN;
}

/** Seconds that the source promised of all parts together. */
export function expectedDurationOf({ parts }: SequenceMember): number | undefined {
  const durations = parts.flatMap(({ duration }) => duration ?? []);
  return durations.length < parts.length ? undefined : durations.reduce((sum, duration) => sum + duration, 0);
}
