import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordingStream } from '../testing/recording-stream.ts';
import { createProgress } from './progress.ts';
import { createSpeedMeter } from './speed-meter.ts';
import { textWidth } from './table.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.stubEnv('FORCE_COLOR', undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('in a terminal', () => {
  test('one line is redrawn with speed and remaining time, and cleared at the end', () => {
    const { stream, output } = recordingStream({ isTTY: true, columns: 100 });
    const progress = createProgress(stream, {});
    for (let second = 0; second <= 4; second += 1) {
      progress.show({ stage: 'saving', bytes: second * 1e6, total: 10e6 });
      vi.advanceTimersByTime(1000);
    }
    expect(output()).not.toContain('\n');
    const frames = output().split('\r').slice(1);
    expect(frames).toHaveLength(5);
    expect(frames.at(-1)).toBe(
      '━━━━━━━━━━──────────────  saving   40 %  4.00 MB of 10.00 MB  1.00 MB/s  0:06 left\u001b[K',
    );
    progress.clear();
    expect(output().endsWith('\r\u001b[K')).toBe(true);
  });

  test('the line is redrawn at most ten times a second, and at the end', () => {
    const { stream, output } = recordingStream({ isTTY: true, columns: 80 });
    const progress = createProgress(stream, {});
    for (let part = 0; part <= 100; part += 1) progress.show({ stage: 'saving', fraction: part / 100 });
    expect(output().split('\r')).toHaveLength(3);
    expect(output()).toContain('100 %');
  });

  test.each([20, 40, 60, 200])('no line is longer than %d columns', (columns) => {
    const { stream, output } = recordingStream({ isTTY: true, columns });
    const progress = createProgress(stream, {});
    progress.show({ stage: '日本 a stage with a long name', bytes: 0, total: 10e9 });
    vi.advanceTimersByTime(2000);
    progress.show({ stage: '日本 a stage with a long name', bytes: 4e9, total: 10e9 });
    for (const line of output().split('\r')) expect(textWidth(line.replace('\u001b[K', ''))).toBeLessThan(columns);
  });

  test('unknown values are omitted', () => {
    const { stream, output } = recordingStream({ isTTY: true, columns: 80 });
    createProgress(stream, {}).show({ stage: 'extracting' });
    expect(output()).toBe('\rextracting\u001b[K');
  });
});

test.each([
  ['a pipe', {}, {}],
  ['a terminal that cannot move its cursor', { isTTY: true, columns: 80 }, { TERM: 'dumb' }],
])('%s gets a line for each stage', (_, as, environment) => {
  const { stream, output } = recordingStream(as);
  const progress = createProgress(stream, environment);
  for (const fraction of [0, 0.5, 1]) progress.show({ stage: 'rendering', fraction });
  progress.show({ stage: 'saving\u001b[2J', bytes: 1, total: 2 });
  progress.clear();
  expect(output()).toBe('rendering\nsaving [2J\n');
});

test('speed is averaged over the last seconds, and reset on a restart', () => {
  let now = 0;
  const speed = createSpeedMeter(() => now);
  expect(speed.measure(0)).toBeUndefined();
  now = 1000;
  expect(speed.measure(100)).toBe(100);
  now = 20_000;
  expect(speed.measure(100)).toBeUndefined();
  now = 21_000;
  expect(speed.measure(600)).toBe(500);
  now = 22_000;
  expect(speed.measure(10)).toBeUndefined();
});
