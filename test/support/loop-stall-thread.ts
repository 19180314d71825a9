import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { LoopStall } from './loop-stall.ts';

/*
 * The thread of a `StallMeter`. It sends one request after the other between the messages `begin` and `end`, and then
 * reports the longest stall. Its first message means that the service responds.
 */

const PAUSE_MS = 2;
/** Only ends what hangs. */
const TIMEOUT_MS = 240_000;

const { url, pid } = workerData as { readonly url: string; readonly pid: number };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Returns how many milliseconds a thread has run, and how many it has waited for a processor
 * (https://docs.kernel.org/scheduler/sched-stats.html).
 */
function timesOf(thread: string): { readonly ran: number; readonly waited: number } {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran: ran / 1e6, waited: waited / 1e6 };
}

interface Moment {
  /** Milliseconds that the main thread of the service has run. */
  readonly ran: number;
  /** Milliseconds that this thread has waited for a processor. */
  readonly waited: number;
  readonly wall: number;
}

function now(): Moment {
  return { ran: timesOf(`${pid}/task/${pid}`).ran, waited: timesOf('thread-self').waited, wall: performance.now() };
}

interface Outcome {
  readonly sent: Moment;
  /** When this thread began to sleep. */
  readonly asleep: Moment;
  /** When the response, or the error, arrived. */
  readonly at: Moment;
  readonly failure: string | undefined;
}

async function ping(): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome | 'closed'>();
  const sent = now();
  let asleep = sent;
  setImmediate(() => {
    asleep = now();
  });
  const call = request(`${url}/health/live`, { agent, timeout: TIMEOUT_MS }, (response) => {
    const at = now();
    const failure = response.statusCode === 200 ? undefined : `status ${response.statusCode}`;
    response.on('error', ({ message }) => resolve({ sent, asleep, at, failure: message }));
    response.on('end', () => resolve({ sent, asleep, at, failure }));
    response.resume();
  });
  const failWith = (failure: string) => resolve({ sent, asleep, at: now(), failure });
  call.on('timeout', () => {
    failWith('no response arrived in time');
    call.destroy();
  });
  call.on('error', ({ message }) => (call.reusedSocket ? resolve('closed') : failWith(message)));
  call.end();
  const outcome = await promise;
  // A server may close an idle connection at any time, also when the next request is on its way (RFC 9112 §9.3.1).
  return outcome === 'closed' ? await ping() : outcome;
}

/** Sends requests until a call ends the measurement. */
async function measure(isOver: () => boolean): Promise<LoopStall> {
  let longest: LoopStall = { processor: 0, wall: 0, pings: 0, failures: [] };
  do {
    const { sent, asleep, at, failure } = await ping();
    // While this thread waits for a processor although the response has arrived, the service continues.
    const late = at.waited - asleep.waited;
    longest = {
      processor: Math.max(longest.processor, at.ran - sent.ran - late),
      wall: Math.max(longest.wall, at.wall - sent.wall),
      pings: longest.pings + 1,
      failures: failure === undefined ? longest.failures : [...longest.failures, failure].slice(0, 20),
    };
    await delay(PAUSE_MS);
  } while (!isOver());
  return longest;
}

// Opens the connection, and compiles the code of both sides.
await ping();
let isOver = true;
parentPort?.on('message', (command: 'begin' | 'end') => {
  isOver = command === 'end';
  if (!isOver) void measure(() => isOver).then((longest) => parentPort?.postMessage(longest));
});
parentPort?.postMessage('ready');
