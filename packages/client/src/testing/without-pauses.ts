import { vi } from 'vitest';

/** Longer than any pause of a client. */
const PAUSE_MS = 16_000;
/** Turns of the event loop between two jumps, in which servers of this process can respond. */
const TURNS = 100;

/** Replaces the timers, except those of fetch, which creates them before this returns. */
export async function useClock(): Promise<void> {
  await fetch('data:,');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** Does some work while the clock of {@link useClock} jumps over its pauses. */
export async function withoutPauses<Result>(work: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const onSettled = () => {
    isSettled = true;
  };
  work.then(onSettled, onSettled);
  while (!isSettled) {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
    vi.advanceTimersByTime(PAUSE_MS);
  }
  return await work;
}
