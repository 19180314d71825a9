import type { Step } from '../terminal/progress-line.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Prints events for programs, one JSON object per line. */
export interface Events {
  emit(event: object): void;
  /** Emits a step, no more than once a second for each stage. */
  step(step: Step): void;
}

/** Minimum milliseconds between progress events of a stage. */
const EVENT_MS = 1000;

/**
 * Creates events, which are printed only with `--events`.
 *
 * @param item The number of the item that they are about; absent for a command with one item.
 */
export function createEvents(
  terminal: Pick<Terminal, 'print'>,
  options: { readonly events?: boolean | undefined },
  item?: number,
): Events {
  let emittedAt = Number.NEGATIVE_INFINITY;
  let emittedStage = '';

  function emit({ event, ...members }: { readonly event?: string }): void {
    // Not awaited: the stream keeps the lines in order.
    if (options.events === true) void terminal.print(`${sanitiseJson({ event, ...itemOf(item), ...members })}\n`);
  }

  return {
    emit,
    step(step) {
      if (step.stage === emittedStage && performance.now() - emittedAt < EVENT_MS) return;
      [emittedStage, emittedAt] = [step.stage, performance.now()];
      emit({ event: 'progress', ...step });
    },
  };
}

function itemOf(item: number | undefined) {
  return item === undefined ? {} : { item };
}
