import { canRedraw, REDRAW_MS } from './progress.ts';
import { fractionOf, progressLine, type Step } from './progress-line.ts';
import { createSpeedMeter } from './speed-meter.ts';

/** One line of a board. */
export interface BoardLine {
  show(step: Step): void;
  /** Removes the line. */
  remove(): void;
}

/** Several lines of progress, with an overall line below them. */
export interface ProgressBoard {
  /** Adds a line that starts with a name. */
  addLine(name: string): BoardLine;
  /** Sets the overall line. */
  showOverall(step: Step): void;
  /** Clears the board before other output. It is drawn again with the next step. */
  clear(): void;
}

/**
 * Creates a board that is redrawn in the last lines of a terminal. Elsewhere, and in a terminal that cannot move its
 * cursor (`TERM=dumb`), it shows nothing.
 */
export function createProgressBoard(
  stream: NodeJS.WriteStream,
  environment: NodeJS.ProcessEnv = process.env,
): ProgressBoard {
  const canDraw = canRedraw(stream, environment);
  const lines = new Map<object, string>();
  let overall: string | undefined;
  let drawnLines = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;

  function clear(): void {
    if (drawnLines > 0) stream.write(toFirstLine());
    drawnLines = 0;
    drawnAt = Number.NEGATIVE_INFINITY;
  }

  /** Returns the codes that move the cursor to the start of the board and clear everything after it. */
  function toFirstLine(): string {
    return `\r${drawnLines > 1 ? `\u001b[${drawnLines - 1}A` : ''}\u001b[J`;
  }

  function draw(isUrgent: boolean): void {
    const now = performance.now();
    if (!canDraw || (!isUrgent && now - drawnAt < REDRAW_MS)) return;
    drawnAt = now;
    // One line stays free, because a board that is higher than the terminal could not be redrawn.
    const room = Math.max(1, (stream.rows || 24) - 1 - (overall === undefined ? 0 : 1));
    const visible = [...[...lines.values()].slice(0, room), ...(overall === undefined ? [] : [overall])];
    stream.write(`${drawnLines > 0 ? toFirstLine() : '\r'}${visible.join('\n')}`);
    drawnLines = visible.length;
  }

  return {
    addLine(name) {
      const key = {};
      let stage = '';
      let speedMeter = createSpeedMeter();
      return {
        show(step) {
          const isNew = step.stage !== stage;
          if (isNew) speedMeter = createSpeedMeter();
          stage = step.stage;
          const rate = speedMeter.measure(step.bytes ?? fractionOf(step) ?? 0);
          lines.set(key, progressLine({ ...step, name }, rate, stream));
          draw(isNew);
        },
        remove() {
          if (lines.delete(key)) draw(true);
        },
      };
    },
    showOverall(step) {
      overall = progressLine(step, undefined, stream);
      draw(true);
    },
    clear,
  };
}
