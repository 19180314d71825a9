import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDeadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('expires after its time limit, counted from the last reset', () => {
  const deadline = startDeadline(100);
  vi.advanceTimersByTime(99);
  deadline.reset();
  vi.advanceTimersByTime(99);
  expect([deadline.signal.aborted, deadline.expired]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([deadline.signal.aborted, deadline.expired]).toEqual([true, true]);
});

it('does not expire while suspended, nor with a limit beyond the maximum timer delay', () => {
  const resting = startDeadline(100);
  resting.suspend();
  const endless = [startDeadline(Number.POSITIVE_INFINITY), startDeadline(1e15)];
  vi.advanceTimersByTime(1e8);
  for (const { signal } of [resting, ...endless]) expect(signal.aborted).toBe(false);
});

it('aborts with the reason of any of its signals, including an already aborted one', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const deadline = startDeadline(100, [one.signal, undefined, other.signal]);
  other.abort('enough');
  expect([deadline.signal.reason, deadline.expired]).toEqual(['enough', false]);
  expect(startDeadline(100, [other.signal]).signal.reason).toBe('enough');
  vi.advanceTimersByTime(200);
  expect(deadline.signal.reason).toBe('enough');
});

it('releases timers and listeners when closed', () => {
  const { signal } = new AbortController();
  const addListener = vi.spyOn(signal, 'addEventListener');
  const removeListener = vi.spyOn(signal, 'removeEventListener');
  startDeadline(100, [signal]).close();
  expect(addListener.mock.calls.map(([, listener]) => listener)).toEqual(
    removeListener.mock.calls.map(([, listener]) => listener),
  );
  expect(vi.getTimerCount()).toBe(0);
});
