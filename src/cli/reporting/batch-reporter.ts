import { createProgressBoard } from '../terminal/progress-board.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createEvents } from './events.ts';
import { stepOf } from './render-step.ts';
import { printResult, type Reporter, type ReportOptions, showsProgress, speaks } from './reporter.ts';

/** How many items of a batch have ended, and in which way. */
export interface BatchCounts {
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** The number of all items; undefined if it is not known yet. */
  readonly total?: number | undefined;
}

/** Reports the progress of several items, and the result of the command. */
export interface BatchReporter extends Pick<Reporter, 'say'> {
  /** Returns the reporter of an item, which has a line of its own until it is closed. */
  item(number: number, name: string): Reporter;
  /** Reports the outcome of an item to programs. */
  outcome(item: number, outcome: object): void;
  /** Shows how many items have ended. */
  counts(counts: BatchCounts): void;
  /** Prints text to standard output, unless the output is JSON. */
  print(text: string): Promise<void>;
  /** Prints the result for programs. */
  result(result: object): Promise<void>;
  /** Clears the progress. */
  close(): void;
}

/** Creates the reporter of a batch. */
export function createBatchReporter(terminal: Terminal, options: ReportOptions): BatchReporter {
  const board = showsProgress(options) ? createProgressBoard(terminal.error) : undefined;
  const events = createEvents(terminal, options);
  const isForProgram = options.json === true || options.events === true;

  function say(text: string): void {
    board?.clear();
    if (speaks(options)) terminal.say(text);
  }

  return {
    item(number, name) {
      const itemEvents = createEvents(terminal, options, number);
      const line = board?.addLine(`[${number}] ${name}`);
      return {
        step(step) {
          line?.show(step);
          itemEvents.step(step);
        },
        status(event) {
          line?.show(stepOf(event));
          itemEvents.emit({ event: 'status', ...event });
        },
        say: (text) => say(`[${number}] ${text}`),
        close: () => line?.remove(),
      };
    },
    outcome: (item, outcome) => events.emit({ event: 'item', item, ...outcome }),
    counts(counts) {
      const { done, skipped, failed, total } = counts;
      const ended = done + skipped + failed;
      board?.showOverall({
        stage: countsText(counts),
        fraction: total === undefined || total === 0 ? undefined : Math.min(1, ended / total),
      });
    },
    say,
    async print(text) {
      board?.clear();
      if (!isForProgram) await terminal.print(text);
    },
    async result(result) {
      board?.clear();
      if (isForProgram) await printResult(terminal, options, result, '');
    },
    close: () => board?.clear(),
  };
}

/** Formats counts: `3 of 10 done, 1 skipped, 1 failed`. */
export function countsText({ done, skipped, failed, total }: BatchCounts): string {
  const facts = [
    `${done}${total === undefined ? '' : ` of ${total}`} done`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return facts.join(', ');
}
