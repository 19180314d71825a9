/** The progress of the queue at a time. */
export interface ProgressSample {
  /** Time in milliseconds. */
  readonly at: number;
  /** Share of the work that is done, from 0 to 1. */
  readonly share: number;
}

const MIN_MS = 4_000;
const MIN_SHARE = 0.02;

/** Estimates the seconds until the work is done. Returns undefined while there is too little progress to tell. */
export function timeLeft(start: ProgressSample, now: ProgressSample): number | undefined {
  const [time, progress] = [now.at - start.at, now.share - start.share];
  if (time < MIN_MS || progress < MIN_SHARE) return undefined;
  return ((1 - now.share) * time) / progress / 1_000;
}
