import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDeadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('ends when its time is over, counted from the last renewal', () => {
  const deadline = openDeadline(100);
  vi.advanceTimersByTime(99);
  deadline.reset();
  vi.advanceTimersByTime(99);
  expect([deadline.signal.aborted, deadline.expired]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([deadline.signal.aborted, deadline.expired]).toEqual([true, true]);
});

it('does not count while it rests, nor beyond what timers know', () => {
  const resting = openDeadline(100);
  resting.suspend();
  const endless = [openDeadline(Number.POSITIVE_INFINITY), openDeadline(1e15)];
  vi.advanceTimersByTime(1e8);
  for (const { signal } of [resting, ...endless]) expect(signal.aborted).toBe(false);
});

it('ends with any of its signals, also with one that is over already, and by its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const deadline = openDeadline(100, [one.signal, undefined, other.signal]);
  other.abort('enough');
  expect([deadline.signal.reason, deadline.expired]).toEqual(['enough', false]);
  expect(openDeadline(100, [other.signal]).signal.reason).toBe('enough');
  vi.advanceTimersByTime(200);
  expect(deadline.signal.reason).toBe('enough');
});

it('lets go of everything when it is closed', () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  openDeadline(100, [signal]).close();
  expect(added.mock.calls.map(([, listener]) => listener)).toEqual(removed.mock.calls.map(([, listener]) => listener));
  expect(vi.getTimerCount()).toBe(0);
});
