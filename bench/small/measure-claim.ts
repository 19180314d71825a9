import { setTimeout as delay } from 'node:timers/promises';
import { describeJob, follow, post, type StartedJob } from '../../test/support/http-client.ts';
import type { RunningProcess } from '../../test/support/processes.ts';
import { percentile, printLine } from '../measure.ts';
import { media, startOrigin } from '../render/origin.ts';
import { withSetup } from '../scale/setup.ts';
import { startNode } from '../trivial-jobs.ts';

/** Jobs in a round. */
const JOBS = 40;
/** Uncounted jobs, for compilers and caches. */
const WARM_UP = 10;
const LOG_PAUSE_MS = 50;
const LOG_ATTEMPTS = 100;

/** Measures the milliseconds from a start call to the log line with which an idle worker reports the claim. */
export async function measureClaim(rounds: number): Promise<void> {
  const origin = await startOrigin(['tiny']);
  try {
    await withSetup(async (stand) => {
      const node = await startNode(stand, origin, 'node', 'api,render');
      const worker = await startNode(stand, origin, 'worker', 'worker', { LOG_LEVEL: 'info' });
      try {
        const count = rounds * JOBS;
        const times: number[] = [];
        for (let job = 0; job < count + WARM_UP; job += 1) {
          const started = await startJob(node.url);
          const claimedAt = await claimTime(worker, started.id);
          times.push(claimedAt - started.at);
        }
        const measuredTimes = times.slice(-count);
        const at = (share: number) => percentile(measuredTimes, share).toFixed(0);
        printLine(`claim: from the start call to the claim by an idle worker, on PostgreSQL, ${count} times`);
        printLine(`  p50 ${at(0.5)} ms (target 25), p99 ${at(0.99)} ms (target 100)`);
      } finally {
        await Promise.all([node.stop(), worker.stop()]);
      }
    });
  } finally {
    await origin.close();
  }
}

/** Starts a job and waits for its end. Returns the time of the start call in milliseconds since 1970. */
async function startJob(url: string): Promise<{ readonly id: string; readonly at: number }> {
  const job = describeJob('no_process', [{ url: `https://cdn.lab.example${media.tiny}`, ext: 'mp4' }], 'mp4');
  const at = performance.timeOrigin + performance.now();
  const { body } = await post<StartedJob>(`${url}/api/v1/render/execute`, job);
  const last = (await follow(body.sseStatusUrl)).at(-1);
  if (last?.status !== 'done') throw new Error(`a job of the benchmark failed: ${last?.error}`);
  return { id: job.id, at };
}

/**
 * Returns the time at which the worker reported the claim of a job. The log line can arrive after the end of the job.
 */
async function claimTime(worker: RunningProcess, id: string): Promise<number> {
  for (let tries = 0; tries < LOG_ATTEMPTS; tries += 1) {
    const line = worker
      .output()
      .split('\n')
      .findLast((each) => each.endsWith('}') && each.includes(id) && each.includes('job taken up'));
    if (line !== undefined) return Date.parse(JSON.parse(line).time);
    await delay(LOG_PAUSE_MS);
  }
  throw new Error(`the worker's log does not report the claim of ${id}`);
}
