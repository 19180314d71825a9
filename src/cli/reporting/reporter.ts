import type { RenderStatusEvent } from '../../contract/job-status.ts';
import type { Options } from '../command-line/command.ts';
import { errorJson, printError } from '../errors/print-error.ts';
import { createProgress, type Step } from '../terminal/progress.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  /** Prints the result: an object for programs, text for pipes. */
  result(result: object, text: string): Promise<void>;
  /** Writes a line for people. */
  say(text: string): void;
  /** Clears the progress bar. */
  close(): void;
}

/** The options of a reporter. */
type ReportOptions = Readonly<Record<keyof typeof reportOptions, boolean | undefined>>;

/** Minimum time between progress events of a stage. */
const EVENT_MS = 1000;

const stages: Readonly<Record<RenderStatusEvent['status'], string>> = {
  pending: 'waiting for a worker',
  queued: 'waiting for a worker',
  downloading_inputs: 'rendering: fetching',
  processing: 'rendering: processing',
  uploading_output: 'rendering: storing',
  done: 'rendering: done',
  failed: 'rendering: failed',
};

/** Creates a reporter. */
export function createReporter(terminal: Terminal, options: Partial<ReportOptions>): Reporter {
  const events = options.events === true;
  const progress = options.quiet === true || events ? undefined : createProgress(terminal.error);
  let emittedAt = Number.NEGATIVE_INFINITY;
  let emittedStage = '';

  function emit(event: object): void {
    // Not awaited: the stream keeps the lines in order.
    if (events) void terminal.print(`${sanitiseJson(event)}\n`);
  }

  return {
    step(step) {
      progress?.show(step);
      if (step.stage === emittedStage && performance.now() - emittedAt < EVENT_MS) return;
      [emittedStage, emittedAt] = [step.stage, performance.now()];
      emit({ event: 'progress', ...step });
    },
    status(event) {
      const started = event.status !== 'pending' && event.status !== 'queued';
      progress?.show({ stage: stages[event.status], fraction: started ? event.progress / 100 : undefined });
      emit({ event: 'status', ...event });
    },
    async result(result, text) {
      progress?.clear();
      if (events) await terminal.print(`${sanitiseJson({ event: 'result', ...result })}\n`);
      else await terminal.print(options.json === true ? `${sanitiseJson(result, 2)}\n` : text);
    },
    say(text) {
      progress?.clear();
      if (options.quiet !== true && !events && options.json !== true) terminal.say(text);
    },
    close() {
      progress?.clear();
    },
  };
}

/** Reports an error: as JSON if requested, and as text for people. */
export async function reportError(error: unknown, terminal: Terminal, asJson: boolean): Promise<void> {
  if (asJson) await terminal.print(`${errorJson(error)}\n`);
  printError(error, terminal);
}
