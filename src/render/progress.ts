import type { ProgressBrackets } from '../contract/job.ts';

/** Turns the parts of the stages that are done into the one percentage of a job. */
export interface JobProgress {
  /** Whole percent; never falls. */
  readonly percent: number;
  /** Tells the part of a stage that is done, 0 to 1. */
  report(stage: keyof ProgressBrackets, fraction: number): void;
}

/** Starts at the first bracket's beginning, or at what a run that is gone on with had reached. */
export function createProgress(brackets: ProgressBrackets, reached = 0): JobProgress {
  let percent: number = Math.max(reached, brackets.downloading_inputs[0]);
  return {
    get percent() {
      return percent;
    },
    report(stage, fraction) {
      const [from, to] = brackets[stage];
      const part = Math.min(Math.max(fraction, 0), 1);
      percent = Math.max(percent, Math.floor(from + (to - from) * part));
    },
  };
}
