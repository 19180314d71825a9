import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something holds, for so many seconds at most. Says whether it does. */
export async function until(holds: () => boolean | Promise<boolean>, seconds: number, everyMs = 100): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) return false;
    await delay(everyMs);
  }
  return true;
}
