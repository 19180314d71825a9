import { styleText } from 'node:util';
import { sizeText } from '../../contract/size-text.ts';
import { openSpeed } from './speed.ts';
import { fitted, widthOf } from './table.ts';
import { clockTime } from './time-text.ts';
import { visibleLine } from './visible.ts';

/** A step of the work, with its progress. */
export interface Step {
  /** Its name: `rendering: processing`, `saving`. */
  readonly stage: string;
  /** The completed fraction, 0 to 1, if known. */
  readonly fraction?: number | undefined;
  /** Transferred and total bytes, if it transfers bytes. */
  readonly bytes?: number | undefined;
  readonly total?: number | undefined;
}

/** Shows progress. */
export interface Progress {
  show(step: Step): void;
  /** Clears the bar before other output. */
  clear(): void;
}

/** Minimum time between redraws of a stage. */
const REDRAW_MS = 100;

const FULL_BAR = 24;

/**
 * Shows a bar that is redrawn in one line of a terminal; elsewhere, and in a terminal that cannot move its cursor
 * (`TERM=dumb`), a line for each stage.
 */
export function createProgress(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv = process.env): Progress {
  return stream.isTTY === true && environment.TERM !== 'dumb' ? bar(stream) : lines(stream);
}

function lines(stream: NodeJS.WriteStream): Progress {
  let stage = '';
  return {
    show(step) {
      if (step.stage === stage) return;
      stage = step.stage;
      stream.write(`${visibleLine(stage)}\n`);
    },
    clear() {
      stage = '';
    },
  };
}

function bar(stream: NodeJS.WriteStream): Progress {
  let stage = '';
  let speed = openSpeed();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let visible = false;
  return {
    show(step) {
      const now = performance.now();
      const fraction = fractionOf(step);
      if (step.stage !== stage) {
        stage = step.stage;
        speed = openSpeed();
        drawnAt = Number.NEGATIVE_INFINITY;
      }
      const rate = speed.measure(step.bytes ?? fraction ?? 0);
      if (now - drawnAt < REDRAW_MS && fraction !== 1) return;
      drawnAt = now;
      visible = true;
      // To the first column, the line, and nothing behind it.
      stream.write(`\r${lineOf(step, fraction, rate, stream)}\u001b[K`);
    },
    clear() {
      if (visible) stream.write('\r\u001b[K');
      visible = false;
      stage = '';
    },
  };
}

function fractionOf({ fraction, bytes, total }: Step): number | undefined {
  if (bytes !== undefined && total !== undefined && total > 0) return Math.min(1, bytes / total);
  return fraction;
}

/** The line for a step, in the width that there is: the bar goes first, then the figures. */
function lineOf(
  step: Step,
  fraction: number | undefined,
  rate: number | undefined,
  stream: NodeJS.WriteStream,
): string {
  const width = Math.max(20, stream.columns || 80) - 1;
  const figures = figuresOf(step, fraction, rate);
  const name = visibleLine(step.stage);
  const text = [name, ...figures].join('  ');
  const room = Math.min(FULL_BAR, width - widthOf(text) - 3);
  if (fraction === undefined || room < 8) return fitted(text, width);
  const filled = Math.round(fraction * room);
  const done = styleText('green', '━'.repeat(filled), { stream });
  return `${done}${styleText('dim', '─'.repeat(room - filled), { stream })}  ${text}`;
}

function figuresOf(step: Step, fraction: number | undefined, rate: number | undefined): string[] {
  const { bytes, total } = step;
  const left = bytes === undefined ? 1 - (fraction ?? 0) : (total ?? bytes) - bytes;
  return [
    ...(fraction === undefined ? [] : [`${String(Math.floor(fraction * 100)).padStart(3)} %`]),
    ...(bytes === undefined
      ? []
      : [total === undefined ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(total)}`]),
    ...(bytes === undefined || rate === undefined ? [] : [`${sizeText(rate)}/s`]),
    ...(rate === undefined || left <= 0 ? [] : [`${clockTime(left / rate)} left`]),
  ];
}
