import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordingStream } from '../testing/recording-stream.ts';
import { createProgressBoard } from './progress-board.ts';
import { textWidth } from './table.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.stubEnv('FORCE_COLOR', undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const esc = '\u001b';

/** Returns the lines that the board has drawn last: those after the last code that clears the screen. */
function screen(output: string): string[] {
  return output
    .slice(output.lastIndexOf(`${esc}[J`) + 1)
    .replace(/^\[J|^\r/, '')
    .split('\n');
}

test('shows a line for each item and one for all, and clears them', () => {
  const { stream, output } = recordingStream({ isTTY: true, columns: 80 });
  const board = createProgressBoard(stream, {});
  const first = board.addLine('[1] One');
  const second = board.addLine('[2] Two');
  board.showOverall({ stage: '0 of 3 done', fraction: 0 });
  first.show({ stage: 'extracting' });
  second.show({ stage: 'saving', bytes: 1, total: 4 });
  expect(screen(output()).map((line) => line.replace(/^[━─ ]+/, ''))).toEqual([
    '[1] One: extracting',
    '[2] Two: saving   25 %  1.00 B of 4.00 B',
    '0 of 3 done    0 %',
  ]);
  first.remove();
  expect(screen(output())).toHaveLength(2);
  board.clear();
  expect(output().endsWith(`\r${esc}[1A${esc}[J`)).toBe(true);
});

test('is redrawn no more than ten times a second, and is never higher or wider than the terminal', () => {
  const { stream, output } = recordingStream({ isTTY: true, columns: 40, rows: 5 });
  const board = createProgressBoard(stream, {});
  board.showOverall({ stage: '0 done' });
  const lines = Array.from({ length: 10 }, (_, at) => board.addLine(`[${at}] 日本語のとても長い題名 with a long name`));
  for (const line of lines) line.show({ stage: 'saving', bytes: 0, total: 10 });
  const drawn = output().length;
  for (let bytes = 1; bytes < 10; bytes += 1) lines[0]?.show({ stage: 'saving', bytes, total: 10 });
  expect(output().length).toBe(drawn);
  expect(screen(output()).length).toBeLessThan(5);
  for (const line of screen(output())) expect(textWidth(line)).toBeLessThan(40);
});

test('shortens the name of an item rather than its progress', () => {
  const { stream, output } = recordingStream({ isTTY: true, columns: 50 });
  const board = createProgressBoard(stream, {});
  board.addLine('[1] A title that is far too long').show({ stage: 'saving', bytes: 1e6, total: 4e6 });
  expect(output()).toBe('\r[1] A title t…: saving   25 %  1.00 MB of 4.00 MB');
});

test('shows nothing elsewhere', () => {
  const { stream, output } = recordingStream();
  const board = createProgressBoard(stream, {});
  board.addLine('x').show({ stage: 'saving' });
  board.showOverall({ stage: '1 done' });
  board.clear();
  expect(output()).toBe('');
});
