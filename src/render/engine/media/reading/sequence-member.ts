import type { InputPart } from '../../tasks/task.ts';
import type { EngineOperation } from '../../track-plan/source-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import type { InputParts } from '../input/open-part.ts';
import type { Sink } from '../sink.ts';
import type { InputClock } from './input-clock.ts';
import type { FirstPart } from './match-part.ts';

/** An input that a {@link PartSequence} reads. */
export interface SequenceMember extends InputParts {
  readonly operation: EngineOperation;
  /** Describes the first part, while it is open. */
  readonly describe: () => FirstPart;
  readonly input: MediaInput;
  readonly clock: InputClock;
  /** Where the packets of the first part's streams go, by their index. */
  readonly sinks: ReadonlyMap<number, Sink>;
}

/** Returns the section number of a part; 0 if it has none. */
export function sectionNumber(part: InputPart | undefined): number {
  return part?.section ?? 0;
}

/** Returns the declared seconds of a part; NaN if there are none. */
export function declaredDuration(part: InputPart | undefined): number {
  return part?.duration ?? Number.NaN;
}

/** Seconds that the source promised of all parts together. */
export function totalDeclaredDuration({ parts }: SequenceMember): number | undefined {
  const durations = parts.flatMap(({ duration }) => duration ?? []);
  return durations.length < parts.length ? undefined : durations.reduce((sum, duration) => sum + duration, 0);
}
