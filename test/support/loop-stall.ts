import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { pidOf, type RunningProcess } from './processes.ts';

/** What a test of {@link measureStall} can run on: Linux states the processor time of a thread in nanoseconds. */
export const canMeasureStalls = existsSync('/proc/self/schedstat');

/** The longest stall of a service's event loop. */
export interface LoopStall {
  /**
   * Milliseconds of processor time that the main thread of the service used between a request to `/health/live` and its
   * response. Other programs on the machine do not lengthen it. A stall can be up to 2 ms longer, the pause between two
   * requests.
   */
  readonly processor: number;
  /** Milliseconds of the longest wait for a response. A busy machine lengthens it, so it is for reading only. */
  readonly wall: number;
  /** Number of requests sent, one after the other. */
  readonly pings: number;
  /** Requests that got no response, or another one than 200. */
  readonly failures: readonly string[];
}

/**
 * Measures the longest stall of a service's event loop during a call. The requests come from a thread with its own
 * event loop, so the caller may keep the own one busy. Linux only ({@link canMeasureStalls}).
 *
 * @throws What the call throws.
 */
export async function measureStall(
  service: Pick<RunningProcess, 'url' | 'process'>,
  work: () => Promise<void>,
): Promise<LoopStall> {
  const workerData = { url: service.url, pid: pidOf(service) };
  const pinger = new Worker(new URL('./loop-stall-thread.ts', import.meta.url), { workerData, execArgv: [] });
  try {
    await once(pinger, 'message');
    await work();
    pinger.postMessage('stop');
    const [longest] = (await once(pinger, 'message')) as [LoopStall];
    return longest;
  } finally {
    await pinger.terminate();
  }
}
