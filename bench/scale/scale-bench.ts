import { measureJobs } from './measure-jobs.ts';
import { measureMemory } from './measure-memory.ts';
import { measureProgress } from './measure-progress.ts';
import { measureStreams } from './measure-streams.ts';

const rows: Readonly<Record<string, (minutes: number) => Promise<void>>> = {
  streams: measureStreams,
  jobs: measureJobs,
  progress: measureProgress,
  memory: measureMemory,
};

/** Names of the rows, in order. */
export const scaleRows: readonly string[] = Object.keys(rows);

/** Measures large numbers of status streams, jobs and running jobs. Each row takes the given number of minutes. */
export async function scaleBench(minutes: number, names: readonly string[]): Promise<void> {
  for (const name of names) await rows[name]?.(minutes);
}
