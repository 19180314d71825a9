import { measureClaim } from './measure-claim.ts';
import { measureExecution } from './measure-execution.ts';
import { measureCpu, measureRate } from './measure-trivial-jobs.ts';

const rows: Readonly<Record<string, (rounds: number) => Promise<void>>> = {
  rate: measureRate,
  cpu: measureCpu,
  execution: measureExecution,
  claim: measureClaim,
};

/** Names of the rows, in order. */
export const smallRows: readonly string[] = Object.keys(rows);

/** Measures small jobs: copies of 2 s, and the render of a one-minute video from its execution URL. */
export async function smallBench(rounds: number, names: readonly string[]): Promise<void> {
  for (const name of names) await rows[name]?.(rounds);
}
