import { measureClaim } from './measure-claim.ts';
import { measureExecution } from './measure-execution.ts';
import { measureCpu, measureRate } from './measure-trivial-jobs.ts';

const rows: Readonly<Record<string, (rounds: number) => Promise<void>>> = {
  rate: measureRate,
  cpu: measureCpu,
  execution: measureExecution,
  claim: measureClaim,
};

/** Names of the rows, in their order. */
export const smallRows: readonly string[] = Object.keys(rows);

/** What small jobs cost: copies of 2 s, and a video of one minute as callers meet it. */
export async function smallBench(rounds: number, names: readonly string[]): Promise<void> {
  for (const name of names) await rows[name]?.(rounds);
}
