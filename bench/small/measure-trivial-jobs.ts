import pg from 'pg';
import { pidOf, type RunningProcess } from '../../test/support/processes.ts';
import { createControlGroup } from '../control-group.ts';
import { formatSpread, median, printLine } from '../measure.ts';
import { media, type Origin, startOrigin } from '../render/origin.ts';
import { watchServer } from '../scale/server-cost.ts';
import { withSetup } from '../scale/setup.ts';
import { runInShell, runJobs, SLOTS, startNode } from '../trivial-jobs.ts';

const JOBS_PER_ROUND = 60;

/** The resources that the rows of trivial jobs need: one worker with four slots, and an API node. */
interface Setup {
  readonly origin: Origin;
  readonly node: RunningProcess;
  readonly worker: RunningProcess;
  readonly database: pg.Client;
  readonly databaseUrl: string;
}

/**
 * Measures the trivial jobs that one worker completes in a second, alternating with a shell script that does the same.
 */
export async function measureRate(rounds: number): Promise<void> {
  await withNodes(async ({ origin, node, database }) => {
    const rates = { ours: [] as number[], shell: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      rates.ours.push((await runJobs(node, database, JOBS_PER_ROUND)).jobsPerSecond);
      rates.shell.push(await runInShell(origin, JOBS_PER_ROUND, SLOTS));
    }
    const ratios = rates.ours.map((rate, round) => rate / (rates.shell[round] ?? Number.NaN));
    printLine(`rate: copies of ${media.tiny}, ${SLOTS} at a time, against curl, ffmpeg and ffprobe in a shell script`);
    printLine(
      `  ${formatSpread(ratios)} of the script's rate (target 1.0): ${formatSpread(rates.ours, 1)} against ${formatSpread(rates.shell, 1)} a second`,
    );
  });
}

/** Measures the processor time of a trivial job: the worker with all processes that it starts. */
export async function measureCpu(rounds: number): Promise<void> {
  await withNodes(async ({ node, worker, database, databaseUrl }) => {
    const group = await createControlGroup('millrace-bench');
    const server = await watchServer(databaseUrl);
    try {
      await group.add(pidOf(worker));
      // Replaces the children that were started before the worker joined the group.
      await runJobs(node, database, SLOTS * 2);
      const [milliseconds, commits]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        const [before, end] = [await group.seconds(), await server.begin()];
        await runJobs(node, database, JOBS_PER_ROUND);
        milliseconds.push((((await group.seconds()) - before) / JOBS_PER_ROUND) * 1000);
        const cost = await end();
        commits.push((cost.commits * cost.seconds) / JOBS_PER_ROUND);
      }
      printLine(`cpu: the worker with all its children, for each copy of ${media.tiny}`);
      printLine(`  ${formatSpread(milliseconds, 0)} ms (target 200), ${median(commits).toFixed(1)} commits`);
    } finally {
      await server.close();
      await worker.stop();
      await group.remove();
    }
  });
}

async function withNodes(measure: (bench: Setup) => Promise<void>): Promise<void> {
  const origin = await startOrigin(['tiny']);
  try {
    await withSetup(async (stand) => {
      const node = await startNode(stand, origin, 'node', 'api,render');
      const worker = await startNode(stand, origin, 'worker', 'worker');
      const database = new pg.Client(stand.databaseUrl);
      await database.connect();
      try {
        // Warms up compilers and caches.
        await runJobs(node, database, JOBS_PER_ROUND);
        await measure({ origin, node, worker, database, databaseUrl: stand.databaseUrl });
      } finally {
        await database.end();
        await Promise.all([node.stop(), worker.stop()]);
      }
    });
  } finally {
    await origin.close();
  }
}
