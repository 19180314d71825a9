import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';

/*
 * The files of one process share its timers. What an earlier file left behind, like a database that idles or a server
 * that closes, must neither be counted by a test that replaced the timers nor wait for them. So `vi.useFakeTimers`
 * replaces them only for what the running test started. (Seen 2026-11-29: PGlite 0.5.16 counts the time limits of
 * PostgreSQL with `setTimeout`, also while nobody uses it.)
 */

const tests = new AsyncLocalStorage<symbol>();
let runningTest: symbol | undefined;

/** Runs a test with its hooks. `vi.useFakeTimers` replaces the timers that it starts, and no others. */
export async function runAsTest(run: () => Promise<void>): Promise<void> {
  const test = Symbol('test');
  runningTest = test;
  try {
    await tests.run(test, run);
  } finally {
    runningTest = undefined;
  }
}

const real = { setTimeout, setInterval, clearTimeout, clearInterval };
const RealTimeout = real.setTimeout(() => undefined, 0).constructor;
const { useFakeTimers } = vi;

vi.useFakeTimers = (...parameters) => {
  useFakeTimers.apply(vi, parameters);
  const fake = { setTimeout, setInterval, clearTimeout, clearInterval };
  const isOfTest = () => tests.getStore() === runningTest;
  const isFake = (timer: unknown) => !(timer instanceof RealTimeout);
  if (fake.setTimeout !== real.setTimeout) {
    globalThis.setTimeout = choose(real.setTimeout, fake.setTimeout, isOfTest);
    globalThis.clearTimeout = choose(real.clearTimeout, fake.clearTimeout, isFake);
  }
  if (fake.setInterval !== real.setInterval) {
    globalThis.setInterval = choose(real.setInterval, fake.setInterval, isOfTest);
    globalThis.clearInterval = choose(real.clearInterval, fake.clearInterval, isFake);
  }
  return vi;
};

/** Returns a function that calls `fake` if `isFake` is true for the parameters, and `real` otherwise. */
function choose<F extends (...parameters: never[]) => unknown>(
  real: F,
  fake: F,
  isFake: (...parameters: Parameters<F>) => boolean,
): F {
  const chosen = (...parameters: Parameters<F>) => (isFake(...parameters) ? fake : real)(...parameters);
  return Object.assign(chosen, fake) as unknown as F;
}
