import { fractionOf, progressLine, type Step } from './progress-line.ts';
import { sanitiseLine } from './sanitise.ts';
import { createSpeedMeter } from './speed-meter.ts';

/** Shows progress. */
export interface Progress {
  show(step: Step): void;
  /** Clears the bar before other output. */
  clear(): void;
}

/** Minimum milliseconds between redraws of a stage. */
export const REDRAW_MS = 100;

/**
 * Shows a bar that is redrawn in one line of a terminal. Elsewhere, and in a terminal that cannot move its cursor
 * (`TERM=dumb`), it prints a line for each stage.
 */
export function createProgress(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv = process.env): Progress {
  return canRedraw(stream, environment) ? barProgress(stream) : lineProgress(stream);
}

/** Whether a stream is a terminal that can move its cursor. */
export function canRedraw(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && environment.TERM !== 'dumb';
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
      stream.write(`\r${progressLine(step, rate, stream)}\u001b[K`);
    },
    clear() {
      if (visible) stream.write('\r\u001b[K');
      visible = false;
      stage = '';
    },
  };
}
