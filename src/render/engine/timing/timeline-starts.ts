import { nearestTurn, type SourceClock } from './clock-turns.ts';

/** Maximum distance between the first timestamps of two job inputs with one origin, in seconds. */
const sharedClockThreshold = 10;
/** Earliest time at which the clock of a source begins, in seconds: before zero by the priming of its audio. */
const earliestClock = -1;

/** An input, by the facts that determine the start of its timeline. */
export interface TimelineInput {
  readonly clock: SourceClock;
  /** Its first timestamp, in seconds. */
  readonly first: number;
  /** For an excerpt: time from the beginning of its source to its first timestamp, in seconds. */
  readonly excerptStart?: number | undefined;
  /** Index of the job's input that it belongs to. */
  readonly jobInput?: number | undefined;
  /** How long it plays according to its source, in seconds. */
  readonly duration?: number | undefined;
}

/**
 * Returns the start of the timeline of each input in seconds, by the rule of `docs/explanation/clocks.md`. Each begins at
 * its own first timestamp, unless it shares its clock. The files of one job input are renditions of one playlist, which
 * share a clock. Job inputs share one only if their timestamps have an origin. The timeline of an excerpt begins with its
 * source, before the excerpt.
 */
export function timelineStarts(inputs: readonly TimelineInput[]): number[] {
  const starts = joinRenditions(inputs);
  const shared = [...inputs.keys()].filter((at) => inputs[at]?.clock === 'presentation');
  const own = shared.map((at) => starts[at] ?? 0);
  const earliest = Math.min(...own);
  const isNear = Math.max(...own) - earliest < sharedClockThreshold;
  if (isNear && !areRebased(inputs, earliest)) for (const at of shared) starts[at] = earliest;
  return starts;
}

/**
 * Returns the start of the timeline of each input, if job inputs share no clock. The files of one job input are the
 * renditions of one playlist, whose timestamps match (RFC 8216 §6.2.4), however far apart they begin. Those that begin
 * after the others have ended match only by mistake: each then begins by itself.
 */
function joinRenditions(inputs: readonly TimelineInput[]): number[] {
  const starts = inputs.map(({ first, excerptStart = 0 }) => first - excerptStart);
  const groups = Map.groupBy(inputs.keys(), (at) => `${inputs[at]?.jobInput ?? `file ${at}`} ${inputs[at]?.clock}`);
  for (const group of groups.values()) {
    const [head = 0] = group;
    const clock = inputs[head]?.clock ?? 'none';
    const times = new Map(group.map((at) => [at, nearestTurn(clock, starts[at] ?? 0, starts[head] ?? 0)]));
    const earliest = Math.min(...times.values());
    const longest = Math.max(sharedClockThreshold, ...group.map((at) => inputs[at]?.duration ?? 0));
    if (Math.max(...times.values()) - earliest >= longest) continue;
    for (const [at, time] of times) starts[at] = (starts[at] ?? 0) - time + earliest;
  }
  return starts;
}

/**
 * Whether excerpts of several job inputs have new timestamps, so that they do not tell whether the inputs share a clock:
 * a source would have begun before zero.
 */
function areRebased(inputs: readonly TimelineInput[], earliestStart: number): boolean {
  if (inputs.every(({ excerptStart }) => excerptStart === undefined) || earliestStart > earliestClock) return false;
  return new Set(inputs.map(({ jobInput }) => jobInput)).size > 1;
}
