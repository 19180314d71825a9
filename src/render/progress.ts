import type { ProgressBrackets } from '../contract/job.ts';

/** Turns the parts of the stages that are done into the one percentage of a job. */
export interface JobProgress {
  /** Whole percent; never falls. */
  readonly percent: number;
  /** `percent`, as far as it fits the stage that the database knows of: listeners see no stage beyond its bracket. */
  readonly told: number;
  /** Tells the part of a stage that is done, 0 to 1. */
  report(stage: keyof ProgressBrackets, fraction: number): void;
  /** The database knows that the job has reached a stage. */
  reached(stage: keyof ProgressBrackets): void;
}

/** Starts at the first bracket's beginning, or at what a run that is gone on with had reached. */
export function createProgress(brackets: ProgressBrackets, before = 0): JobProgress {
  const start = Math.max(before, brackets.downloading_inputs[0]);
  let percent: number = start;
  let known: keyof ProgressBrackets = 'downloading_inputs';
  return {
    get percent() {
      return percent;
    },
    get told() {
      return Math.max(start, Math.min(percent, brackets[known][1]));
    },
    report(stage, fraction) {
      const [from, to] = brackets[stage];
      const part = Math.min(Math.max(fraction, 0), 1);
      percent = Math.max(percent, Math.floor(from + (to - from) * part));
    },
    reached(stage) {
      known = stage;
    },
  };
}
