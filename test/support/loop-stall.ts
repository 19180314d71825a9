import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { pidOf, type RunningProcess } from './processes.ts';

/** Whether a test of {@link measureStall} can run: Linux states the processor time of a thread in nanoseconds. */
export const canMeasureStalls = existsSync('/proc/self/schedstat');

/** Milliseconds of processor time for which a service may let others wait at once. */
export const MAX_STALL_MS = 100;

/**
 * A busy machine lengthens processor time, too: threads that collect garbage or compile leave their work to the main
 * thread while they wait for a processor, and other programs take the processor's caches. So a
 * stall above the limit is measured again, this often in all, and the shortest counts.
 */
const MEASUREMENTS = 3;

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

/** Measures the stalls of one service. */
export interface StallMeter {
  /**
   * Returns the longest stall during a call. If it is above {@link MAX_STALL_MS}, the call is repeated up to twice. The
   * result is then the stall of the best call, with the failures of all.
   *
   * @throws What the call throws.
   */
  measure(work: () => Promise<void>): Promise<LoopStall>;
  close(): Promise<void>;
}

/**
 * Opens a meter of the stalls of a service's event loop. Its requests come from a thread with its own event loop, so a
 * test may be busy during a measurement. Linux only ({@link canMeasureStalls}).
 */
export async function openStallMeter(service: Pick<RunningProcess, 'url' | 'process'>): Promise<StallMeter> {
  const workerData = { url: service.url, pid: pidOf(service) };
  const pinger = new Worker(new URL('./loop-stall-thread.ts', import.meta.url), { workerData, execArgv: [] });
  await once(pinger, 'message');
  const measureOnce = async (work: () => Promise<void>) => {
    const result = once(pinger, 'message') as Promise<[LoopStall]>;
    pinger.postMessage('begin');
    try {
      await work();
    } finally {
      pinger.postMessage('end');
      await result;
    }
    const [longest] = await result;
    return longest;
  };
  return {
    async measure(work) {
      let best = await measureOnce(work);
      for (let count = 1; count < MEASUREMENTS && best.processor > MAX_STALL_MS; count += 1) {
        const next = await measureOnce(work);
        const failures = [...best.failures, ...next.failures];
        best = { ...(next.processor < best.processor ? next : best), failures };
      }
      return best;
    },
    async close() {
      await pinger.terminate();
    },
  };
}

/** Measures the longest stall of a service's event loop during a call, as {@link openStallMeter} describes. */
export async function measureStall(
  service: Pick<RunningProcess, 'url' | 'process'>,
  work: () => Promise<void>,
): Promise<LoopStall> {
  const meter = await openStallMeter(service);
  try {
    return await meter.measure(work);
  } finally {
    await meter.close();
  }
}
