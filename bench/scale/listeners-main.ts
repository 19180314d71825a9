import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { countFrames, countSse } from './count-events.ts';
import { Arrivals, type Punctuality, punctuality } from './lateness.ts';
import { serveRequests } from './setup.ts';

/**
 * Opens status streams, alternately WebSockets and SSE, and only records when events arrive. `listeners-main.ts <port>
 * <streams> <jobs> <maximum seconds to record>`; each job has the same number of streams of each kind, or only one
 * stream.
 */

/** A command: open all streams, record for this number of seconds, or return when streams ended. */
export type ListenerCommand = { readonly open: true } | { readonly listen: number } | { readonly ends: true };

/** Result of a recording. */
export interface ListenResult extends Punctuality {
  /** Number of streams that ended. */
  readonly closed: number;
  /**
   * Portion of time, 0 to 1, that this process was busy. Near 1, the result shows this process instead of the service.
   */
  readonly busy: number;
}

/** The last event of each ended stream: the job's number, and milliseconds since 1970. */
export type LastEvents = readonly (readonly [job: number, at: number])[];

const CONCURRENT_OPENS = 100;
const INTERVAL_MS = 1_000;
/** Milliseconds to wait at the end for due events before they count as missing. */
const GRACE_MS = 3_000;

const [port = 0, streams = 0, jobs = 0, maxSeconds = 0] = process.argv.slice(2).map(Number);
const arrivals = new Arrivals(streams, maxSeconds + 10);
/** Time of the last event of each ended stream. */
const endTimes = new Map<number, number>();
const now = () => performance.now();
const jobOf = (stream: number) => (Math.floor(stream / 2) + (stream % 2) * Math.floor(jobs / 2)) % jobs;

/** One buffer for all streams, because no bytes are stored. */
const buffer = Buffer.alloc(64 * 1024);

/** Opens a stream. Settles with its first event. */
function open(stream: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const webSocket = stream % 2 === 0;
  const count = webSocket ? countFrames(() => socket.end()) : countSse();
  let isOpen = false;
  let last = 0;
  const socket = connect({
    host: '127.0.0.1',
    port,
    onread: {
      buffer,
      callback(length) {
        let bytes = buffer.subarray(0, length);
        if (!isOpen) {
          const head = bytes.toString('latin1');
          const end = head.indexOf('\r\n\r\n') + 4;
          if (!head.startsWith(`HTTP/1.1 ${webSocket ? 101 : 200} `) || end < 4) reject(new Error(head));
          isOpen = true;
          bytes = bytes.subarray(end);
        }
        const events = count(bytes);
        if (events === 0) return true;
        last = now();
        for (let event = 0; event < events; event += 1) arrivals.add(stream, last);
        resolve();
        return true;
      },
    },
  });
  socket.on('error', reject);
  socket.on('close', () => {
    endTimes.set(stream, last);
    reject(new Error(`stream ${stream} ended before its first event`));
  });
  socket.write(webSocket ? webSocketRequest(stream) : sseRequest(stream));
  return promise;
}

function sseRequest(stream: number): string {
  return `GET /api/v1/render/status/sse/job-${jobOf(stream)} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`;
}

function webSocketRequest(stream: number): string {
  const key = randomBytes(16).toString('base64');
  const upgrade = `connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}`;
  return `GET /api/v1/render/status/job-${jobOf(stream)} HTTP/1.1\r\nhost: 127.0.0.1\r\n${upgrade}\r\n\r\n`;
}

/** Opens all streams, and returns the seconds that it took. */
async function openAll(): Promise<number> {
  const startedAt = now();
  let next = 0;
  const lane = async () => {
    while (next < streams) {
      const stream = next;
      next += 1;
      await open(stream);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_OPENS }, lane));
  return (now() - startedAt) / 1000;
}

async function listen(seconds: number): Promise<ListenResult> {
  arrivals.clear();
  const before = performance.eventLoopUtilization();
  await delay(seconds * 1000);
  const until = now();
  const closed = endTimes.size;
  const { utilization } = performance.eventLoopUtilization(before);
  await delay(GRACE_MS);
  return { ...punctuality(arrivals, streams, INTERVAL_MS, until), closed, busy: utilization };
}

serveRequests<ListenerCommand>(async (order) => {
  if ('open' in order) return openAll();
  if ('listen' in order) return { ...(await listen(order.listen)) };
  return [...endTimes].map(([stream, at]) => [jobOf(stream), performance.timeOrigin + at]);
});
