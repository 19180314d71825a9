import type { ProgressBrackets } from '../../contract/progress-brackets.ts';
import { toPercent } from '../jobs/percent.ts';

/** Combines the progress of the stages into one percentage of a job. */
export interface JobProgress {
  /** Integer percentage; never decreases. */
  readonly percent: number;
  /** `percent` within the bracket of the stage in the database: listeners never see more than that stage allows. */
  readonly publishedPercent: number;
  /** Reports the completed fraction of a stage, 0 to 1. NaN changes nothing. */
  report(stage: keyof ProgressBrackets, fraction: number): void;
  /** Records that the stage was written to the database. */
  stageWritten(stage: keyof ProgressBrackets): void;
}

/**
 * Creates the progress of a run, which starts at the beginning of the first bracket, or at the percentage of the run
 * that is resumed.
 */
export function createJobProgress(brackets: ProgressBrackets, initialPercent = 0): JobProgress {
  const start = Math.max(initialPercent, brackets.downloading_inputs[0]);
  let percent: number = start;
  let writtenStage: keyof ProgressBrackets = 'downloading_inputs';
  return {
    get percent() {
      return percent;
    },
    get publishedPercent() {
      return Math.max(start, Math.min(percent, brackets[writtenStage][1]));
    },
    report(stage, fraction) {
      const [from, to] = brackets[stage];
      const part = Math.min(Math.max(fraction, 0), 1);
      percent = Math.max(percent, toPercent(from + (to - from) * part));
    },
    stageWritten(stage) {
      writtenStage = stage;
    },
  };
}
