import { createRequire } from 'node:module';
import { vi } from 'vitest';

/*
 * Runs before each file of unit tests, and keeps the timers real that belong to no test.
 *
 * undici counts the timeouts of all its requests with one timer of the process, which it creates at its first request
 * (undici 8.12.4, lib/util/timers.js). If a test had replaced the timers by then, no timeout of a later test in this
 * process would ever end. So it is created here.
 *
 * PGlite counts the time limits of PostgreSQL with `setTimeout`, also while the database of an earlier file is idle. A
 * test that counts its own timers would find one more (PGlite 0.5.16, `__setitimer_js`, seen 2026-11-29).
 */

const timers: { setFastTimeout(callback: () => void, milliseconds: number): unknown } = createRequire(import.meta.url)(
  'undici/lib/util/timers.js',
);
timers.setFastTimeout(() => undefined, 1);

const { useFakeTimers } = vi;
const realSetTimeout = setTimeout;

function useFakeTimersExceptPglite(...parameters: Parameters<typeof useFakeTimers>): typeof vi {
  useFakeTimers.apply(vi, parameters);
  const fakeSetTimeout = globalThis.setTimeout;
  if (fakeSetTimeout === realSetTimeout) return vi;
  const setTimeout = (...call: Parameters<typeof fakeSetTimeout>) =>
    isCalledByPglite() ? realSetTimeout(...call) : fakeSetTimeout(...call);
  globalThis.setTimeout = Object.assign(setTimeout, fakeSetTimeout);
  return vi;
}

function isCalledByPglite(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  const { stack = '' } = new Error('who calls');
  Error.stackTraceLimit = stackTraceLimit;
  return stack.includes('/@electric-sql/pglite/');
}

// The files of one process share `vi`.
if (useFakeTimers.name !== useFakeTimersExceptPglite.name) vi.useFakeTimers = useFakeTimersExceptPglite;
