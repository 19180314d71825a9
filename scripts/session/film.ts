import { createScreen, type Line } from './screen.ts';

/** A text that was written to a terminal. */
export interface TerminalWrite {
  /** Milliseconds since the beginning. */
  readonly at: number;
  readonly text: string;
}

/** A line of the terminal, and the time during which it did not change. */
export interface Shot {
  readonly row: number;
  readonly line: Line;
  /** Seconds since the beginning. */
  readonly from: number;
  /** Undefined for lines that remain at the end. */
  readonly to: number | undefined;
}

/** Maximum milliseconds between two changes. Longer pauses are cut. */
const MAX_PAUSE_MS = 1_200;

/** Returns the lines of a terminal with the times at which they were displayed. Long pauses are cut. */
export function filmOf(writes: readonly TerminalWrite[], columns: number): readonly Shot[] {
  const screen = createScreen(columns);
  const shots: Shot[] = [];
  const showing = new Map<number, { text: string; line: Line; from: number }>();
  let before = 0;
  let now = 0;
  for (const { at, text } of writes) {
    now += Math.min(at - before, MAX_PAUSE_MS);
    before = at;
    screen.write(text);
    const seconds = now / 1_000;
    for (const [row, line] of screen.lines().entries()) {
      const current = JSON.stringify(line);
      const last = showing.get(row);
      if (last?.text === current) continue;
      if (last !== undefined && seconds > last.from) shots.push({ row, line: last.line, from: last.from, to: seconds });
      showing.set(row, { text: current, line, from: seconds });
    }
  }
  for (const [row, { line, from }] of showing) shots.push({ row, line, from, to: undefined });
  return shots.filter(({ line }) => line.some(({ text }) => text.trim() !== ''));
}
