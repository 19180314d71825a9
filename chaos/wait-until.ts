import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something holds, for so many seconds at most. Says whether it does. */
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
