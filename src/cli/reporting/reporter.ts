import type { RenderStatusEvent } from '../../contract/job-status.ts';
import type { Options } from '../command-line/command.ts';
import { errorJson, printError } from '../errors/print-error.ts';
import { createProgress } from '../terminal/progress.ts';
import type { Step } from '../terminal/progress-line.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createEvents } from './events.ts';
import { stepOf } from './render-step.ts';

/** Options of commands that report progress. */
export const reportOptions = {
  json: { type: 'boolean', description: 'Print the result as one JSON object.' },
  events: {
    type: 'boolean',
    description: 'Print events as they happen, one JSON object per line; the last is the result.',
  },
  quiet: { type: 'boolean', short: 'q', description: 'Hide progress.' },
} as const satisfies Options;

/** Reports progress: to people on standard error, or to programs on standard output. */
export interface Reporter {
  step(step: Step): void;
  /** Reports a status event of a render. */
  status(event: RenderStatusEvent): void;
  /** Writes a line for people. */
  say(text: string): void;
  /** Clears the progress bar. */
  close(): void;
}

/** Reports the progress and the result of a command. */
export interface CommandReporter extends Reporter {
  /** Prints the result: an object for programs, text for pipes. */
  result(result: object, text: string): Promise<void>;
}

/** The options of a reporter. */
export type ReportOptions = Partial<Readonly<Record<keyof typeof reportOptions, boolean | undefined>>>;

/** Creates a reporter. */
export function createReporter(terminal: Terminal, options: ReportOptions): CommandReporter {
  const events = createEvents(terminal, options);
  const progress = showsProgress(options) ? createProgress(terminal.error) : undefined;
  return {
    step(step) {
      progress?.show(step);
      events.step(step);
    },
    status(event) {
      progress?.show(stepOf(event));
      events.emit({ event: 'status', ...event });
    },
    async result(result, text) {
      progress?.clear();
      await printResult(terminal, options, result, text);
    },
    say(text) {
      progress?.clear();
      if (speaks(options)) terminal.say(text);
    },
    close() {
      progress?.clear();
    },
  };
}

/** Whether progress is shown to people. */
export function showsProgress({ quiet, events }: ReportOptions): boolean {
  return quiet !== true && events !== true;
}

/** Whether lines for people are written. */
export function speaks(options: ReportOptions): boolean {
  return showsProgress(options) && options.json !== true;
}

/** Prints the result of a command: an object for programs, text for pipes. */
export async function printResult(
  terminal: Terminal,
  { events, json }: ReportOptions,
  result: object,
  text: string,
): Promise<void> {
  if (events === true) await terminal.print(`${sanitiseJson({ event: 'result', ...result })}\n`);
  else await terminal.print(json === true ? `${sanitiseJson(result, 2)}\n` : text);
}

/** Reports an error: as JSON if requested, and as text for people. */
export async function reportError(error: unknown, terminal: Terminal, asJson: boolean): Promise<void> {
  if (asJson) await terminal.print(`${errorJson(error)}\n`);
  printError(error, terminal);
}
