import { styleText } from 'node:util';
import { sizeText } from '../../contract/size-text.ts';
import { sanitiseLine } from './sanitise.ts';
import { createSpeedMeter } from './speed-meter.ts';
import { textWidth, truncate } from './table.ts';
import { clockTime } from './time-text.ts';

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

const MAX_BAR_WIDTH = 24;

/**
 * Shows a bar that is redrawn in one line of a terminal. Elsewhere, and in a terminal that cannot move its cursor
 * (`TERM=dumb`), it prints a line for each stage.
 */
export function createProgress(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv = process.env): Progress {
  return stream.isTTY === true && environment.TERM !== 'dumb' ? barProgress(stream) : lineProgress(stream);
}

function lineProgress(stream: NodeJS.WriteStream): Progress {
  let stage = '';
  return {
    show(step) {
      if (step.stage === stage) return;
      stage = step.stage;
      stream.write(`${sanitiseLine(stage)}\n`);
    },
    clear() {
      stage = '';
    },
  };
}

function barProgress(stream: NodeJS.WriteStream): Progress {
  let stage = '';
  let speedMeter = createSpeedMeter();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let visible = false;
  return {
    show(step) {
      const now = performance.now();
      const fraction = fractionOf(step);
      if (step.stage !== stage) {
        stage = step.stage;
        speedMeter = createSpeedMeter();
        drawnAt = Number.NEGATIVE_INFINITY;
      }
      const rate = speedMeter.measure(step.bytes ?? fraction ?? 0);
      if (now - drawnAt < REDRAW_MS && fraction !== 1) return;
      drawnAt = now;
      visible = true;
      // Returns to the first column, prints the line, and clears the rest.
      stream.write(`\r${renderLine(step, fraction, rate, stream)}\u001b[K`);
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

/**
 * Returns the line for a step. If it is too long for the available width, the bar is dropped first, then the figures.
 */
function renderLine(
  step: Step,
  fraction: number | undefined,
  rate: number | undefined,
  stream: NodeJS.WriteStream,
): string {
  const width = Math.max(20, stream.columns || 80) - 1;
  const figures = figuresOf(step, fraction, rate);
  const name = sanitiseLine(step.stage);
  const text = [name, ...figures].join('  ');
  const barWidth = Math.min(MAX_BAR_WIDTH, width - textWidth(text) - 3);
  if (fraction === undefined || barWidth < 8) return truncate(text, width);
  const filledCells = Math.round(fraction * barWidth);
  const filledBar = styleText('green', '━'.repeat(filledCells), { stream });
  return `${filledBar}${styleText('dim', '─'.repeat(barWidth - filledCells), { stream })}  ${text}`;
}

function figuresOf(step: Step, fraction: number | undefined, rate: number | undefined): string[] {
  const { bytes, total } = step;
  const remaining = bytes === undefined ? 1 - (fraction ?? 0) : (total ?? bytes) - bytes;
  return [
    ...(fraction === undefined ? [] : [`${String(Math.floor(fraction * 100)).padStart(3)} %`]),
    ...(bytes === undefined
      ? []
      : [total === undefined ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(total)}`]),
    ...(bytes === undefined || rate === undefined ? [] : [`${sizeText(rate)}/s`]),
    ...(rate === undefined || remaining <= 0 ? [] : [`${clockTime(remaining / rate)} left`]),
  ];
}
