import { setTimeout as delay } from 'node:timers/promises';
import type { RunningProcess } from '../processes.ts';

/** Settings that open a program's inspector on a free port of this machine. */
export const inspectorSettings = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

const CALL_TIMEOUT_MS = 60_000;
const POLL_MS = 500;
const MIB = 1024 * 1024;

/** Memory that a process may hold in addition after a run: caches fill up, and the heap is never packed tightly. */
const memoryMargin: MemoryReading = { live: 32 * MIB, resident: 150 * MIB };
/** Live memory that the second half of a run may add to that of the first: a leak grows without an end. */
const STEADY_MARGIN = 12 * MIB;

/** Memory of a process after a garbage collection, in bytes. */
export interface MemoryReading {
  /** Live JavaScript objects and buffers. */
  readonly live: number;
  /** Pages of the whole process that are in memory. */
  readonly resident: number;
}

/** Reads the memory of a program that was started with {@link inspectorSettings}. */
export interface MemoryReader {
  /** Collects garbage, then measures. */
  read(): Promise<MemoryReading>;
  close(): void;
}

/** Connects to the inspector of a program (https://chromedevtools.github.io/devtools-protocol/v8/). */
export async function openMemoryReader(program: Pick<RunningProcess, 'output'>): Promise<MemoryReader> {
  const [url] = /ws:\/\/127\.0\.0\.1:\d+\/\S+/.exec(program.output()) ?? [];
  if (url === undefined) throw new Error('the program printed no address of its inspector');
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const open = Promise.withResolvers<void>();
  socket.addEventListener('open', () => open.resolve());
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  socket.addEventListener('close', () => {
    const closedError = new Error('the program closed its inspector');
    open.reject(closedError);
    for (const { reject } of waiting.values()) reject(closedError);
  });
  await open.promise;

  let calls = 0;
  async function call(method: string, params: object = {}): Promise<unknown> {
    const response = Promise.withResolvers<unknown>();
    calls += 1;
    waiting.set(calls, response);
    socket.send(JSON.stringify({ id: calls, method, params }));
    const timer = setTimeout(() => response.reject(new Error(`${method} got no response`)), CALL_TIMEOUT_MS);
    return await response.promise.finally(() => clearTimeout(timer));
  }

  return {
    async read() {
      // Objects with a finalizer are freed by the collection after the one that found them.
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      const expression = 'JSON.stringify(process.memoryUsage())';
      const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: string } };
      const { heapUsed, external, rss } = JSON.parse(result.value) as NodeJS.MemoryUsage;
      return { live: heapUsed + external, resident: rss };
    },
    close: () => socket.close(),
  };
}

/**
 * Waits until {@link hasStayed} is true of a process: jobs and connections may still end. Returns the last reading,
 * which is above the margins if the process did not get there in time.
 *
 * @param earlier As for {@link hasStayed}.
 */
export async function settledMemory(
  reader: Pick<MemoryReader, 'read'>,
  earlier: readonly MemoryReading[],
  timeout: number,
): Promise<MemoryReading> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const reading = await reader.read();
    if (hasStayed([...earlier, reading]) || performance.now() > deadline) return reading;
    await delay(POLL_MS);
  }
}

/**
 * Whether a process holds no more than {@link memoryMargin} above its first reading, and no more than
 * {@link STEADY_MARGIN} above that in the middle of a run.
 *
 * @param readings Before the run, in the middle of it if there is such a reading, and the newest.
 */
export function hasStayed(readings: readonly MemoryReading[]): boolean {
  const [first, ...later] = readings;
  const [middle] = later;
  const last = later.at(-1);
  if (first === undefined || middle === undefined || last === undefined) return true;
  const isBounded =
    last.live - first.live <= memoryMargin.live && last.resident - first.resident <= memoryMargin.resident;
  return isBounded && last.live - middle.live <= STEADY_MARGIN;
}
