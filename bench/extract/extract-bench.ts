import { measureCpu } from './measure-cpu.ts';
import { measuredPlatforms, measurePage } from './measure-page.ts';
import { measureLatency, measureParallel } from './measure-requests.ts';

const rows: Readonly<Record<string, (rounds: number) => Promise<void> | void>> = {
  'p1-cpu': measureCpu,
  ...Object.fromEntries(
    measuredPlatforms.map((platform) => [`${platform}-cpu`, (rounds: number) => measurePage(platform, rounds)]),
  ),
  'p1-latency': (rounds) => measureLatency('p1', rounds),
  'p1-parallel': (rounds) => measureParallel('p1', rounds),
  'p5-latency': (rounds) => measureLatency('p5', rounds),
  'p5-parallel': (rounds) => measureParallel('p5', rounds),
};

/** Names of the rows, in order. */
export const extractRows: readonly string[] = Object.keys(rows);

/** Measures the cost of extractions: processor time of the parsers, and whole requests to a source with latency. */
export async function extractBench(rounds: number, names: readonly string[]): Promise<void> {
  for (const name of names) await rows[name]?.(rounds);
}
