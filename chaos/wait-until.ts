import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds, for at most this number of seconds. Returns whether it holds. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  seconds: number,
  intervalMs = 100,
): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await delay(intervalMs);
  }
  return true;
}
