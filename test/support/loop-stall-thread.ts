import { readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
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
 * Returns how many milliseconds a thread has run, how many it has waited for a processor, and how often it got one
 * (https://docs.kernel.org/scheduler/sched-stats.html).
 */
function timesOf(thread: string): { readonly ran: number; readonly waited: number; readonly turns: number } {
  const [ran = 0, waited = 0, turns = 0] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran: ran / 1e6, waited: waited / 1e6, turns };
}

interface Moment {
  /** Milliseconds that the main thread of the service has run. */
  readonly ran: number;
  /** Milliseconds that this thread has waited for a processor. */
  readonly waited: number;
  /** How often this thread got a processor. */
  readonly turns: number;
  readonly wall: number;
}

function now(): Moment {
  const { ran } = timesOf(`${pid}/task/${pid}`);
  const { waited, turns } = timesOf('thread-self');
  return { ran, waited, turns, wall: performance.now() };
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
    const late = runsAtOnce || at.turns !== asleep.turns + 1 ? 0 : at.waited - asleep.waited;
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

/**
 * Lets this thread run at once when a response arrives; returns false if the system does not permit it. Then the service
 * may continue while the thread waits for a processor, so such a wait is subtracted: if it was the only one, it began
 * after the response had arrived.
 */
function hurry(): boolean {
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  try {
    setPriority(thread, constants.priority.PRIORITY_HIGHEST);
    return true;
  } catch (error) {
    // Only root may.
    if (error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(String(error.code))) return false;
    throw error;
  }
}

const runsAtOnce = hurry();
// Opens the connection, and compiles the code of both sides.
await ping();
let isOver = true;
parentPort?.on('message', (command: 'begin' | 'end') => {
  isOver = command === 'end';
  if (!isOver) void measure(() => isOver).then((longest) => parentPort?.postMessage(longest));
});
parentPort?.postMessage('ready');
