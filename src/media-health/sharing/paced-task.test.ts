import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPacedTask } from './paced-task.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a task of 300 ms that runs at most once a second, and records when it starts. */
function open() {
  const starts: number[] = [];
  const work = async () => {
    starts.push(Date.now());
    await new Promise((resolve) => setTimeout(resolve, 300));
  };
  return { starts, task: createPacedTask(work, 1_000) };
}

describe('a paced task', () => {
  test('runs at once, and again an interval later however often it is requested', async () => {
    const { starts, task } = open();
    for (let time = 0; time < 20; time += 1) {
      task.request();
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(starts).toEqual([0, 1_000, 2_000]);
  });

  test('runs at the earliest of the requested times', async () => {
    const { starts, task } = open();
    task.request(5_000);
    task.request(2_000);
    task.request(3_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(starts).toEqual([2_000]);
  });

  test('does not run after it was stopped', async () => {
    const { starts, task } = open();
    task.request();
    task.request();
    const stopped = task.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    await stopped;
    task.request();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(starts).toEqual([0]);
  });
});
