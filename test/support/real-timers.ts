import { createRequire } from 'node:module';
import { aroundEach } from 'vitest';
import { runAsTest } from './timers-of-tests.ts';

/*
 * Runs before each file of unit tests, and keeps the timers real that belong to no test.
 *
 * undici counts the timeouts of all its requests with one timer of the process, which it creates at its first request
 * (undici 8.12.4, lib/util/timers.js). If a test had replaced the timers by then, no timeout of a later test in this
 * process would ever end. So it is created here.
 */

const timers: { setFastTimeout(callback: () => void, milliseconds: number): unknown } = createRequire(import.meta.url)(
  'undici/lib/util/timers.js',
);
timers.setFastTimeout(() => undefined, 1);

aroundEach(runAsTest);
