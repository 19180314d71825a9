import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backoff, openPatience, pause } from './patience.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('ends when its time is over, counted from the last renewal', () => {
  const patience = openPatience(100);
  vi.advanceTimersByTime(99);
  patience.renew();
  vi.advanceTimersByTime(99);
  expect([patience.signal.aborted, patience.expired]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([patience.signal.aborted, patience.expired]).toEqual([true, true]);
});

it('does not count while it rests, nor beyond what timers know', () => {
  const resting = openPatience(100);
  resting.rest();
  const endless = [openPatience(Number.POSITIVE_INFINITY), openPatience(1e15)];
  vi.advanceTimersByTime(1e8);
  for (const { signal } of [resting, ...endless]) expect(signal.aborted).toBe(false);
});

it('ends with any of its signals, also with one that is over already, and by its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const patience = openPatience(100, [one.signal, undefined, other.signal]);
  other.abort('enough');
  expect([patience.signal.reason, patience.expired]).toEqual(['enough', false]);
  expect(openPatience(100, [other.signal]).signal.reason).toBe('enough');
  vi.advanceTimersByTime(200);
  expect(patience.signal.reason).toBe('enough');
});

it('lets go of everything when it is closed', () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  openPatience(100, [signal]).close();
  expect(added.mock.calls.map(([, listener]) => listener)).toEqual(removed.mock.calls.map(([, listener]) => listener));
  expect(vi.getTimerCount()).toBe(0);
});

it('pauses, unless a signal ends it', async () => {
  const ending = new AbortController();
  const paused = pause(100, ending.signal);
  vi.advanceTimersByTime(100);
  await paused;
  const cut = pause(100, ending.signal);
  ending.abort(new Error('enough'));
  await expect(cut).rejects.toThrow('enough');
  await expect(pause(100, ending.signal)).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

it('backs off longer with each attempt, within bounds', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
      const wait = backoff(attempt, () => chance);
      expect(wait).toBeGreaterThanOrEqual(250);
      expect(wait).toBeLessThanOrEqual(15_000);
      expect(backoff(attempt + 1, () => chance)).toBeGreaterThanOrEqual(wait);
    }),
    { seed: 8 },
  );
});
