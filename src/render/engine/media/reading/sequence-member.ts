import type { InputPart } from '../../tasks/task.ts';
import type { EngineOperation } from '../../track-plan/source-stream.ts';
import type { ClipCutter } from '../clip/clip-cutter.ts';
import type { MediaInput } from '../input/media-input.ts';
import type { InputParts } from '../input/open-part.ts';
import type { Sink } from '../sink.ts';
import type { InputClock } from './input-clock.ts';
import type { FirstPart } from './match-part.ts';

/** An input that a {@link PartSequence} reads. */
export interface SequenceMember extends InputParts {
  readonly operation: EngineOperation;
  /** Describes the first part while it is open. */
  readonly describe: () => FirstPart;
  readonly input: MediaInput;
  readonly clock: InputClock;
  /** Destinations of the packets of the first part's streams, by stream index. */
  readonly sinks: ReadonlyMap<number, Sink>;
  /** Set if the result is a clip. */
  readonly cutter: ClipCutter | undefined;
  /** Whether the part before the clip is not read. */
  readonly isSeeked: boolean;
}

/** Returns the section number of a part; 0 if it has none. */
export function sectionNumber(part: InputPart | undefined): number {
  return part?.section ?? 0;
}

/** Returns the declared duration of a part in seconds; NaN if there is none. */
export function declaredDuration(part: InputPart | undefined): number {
  return part?.duration ?? Number.NaN;
}

/** Returns the duration that the source declared for all parts together, in seconds. */
export function totalDeclaredDuration({ parts }: SequenceMember): number | undefined {
  const durations = parts.flatMap(({ duration }) => duration ?? []);
  return durations.length < parts.length ? undefined : durations.reduce((sum, duration) => sum + duration, 0);
}
