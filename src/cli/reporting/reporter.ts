import type { RenderStatusEvent } from '../../contract/status.ts';
import type { Options } from '../command-line/command.ts';
import { errorJson, printError } from '../errors/report-error.ts';
import { createProgress, type Step } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { visibleJson } from '../terminal/visible.ts';

/** Options of commands that take their time. */
export const reportOptions = {
  json: { type: 'boolean', meaning: 'Print the result as one JSON object.' },
  events: {
    type: 'boolean',
    meaning: 'Print what happens as it does, one JSON object a line; the last is the result.',
  },
  quiet: { type: 'boolean', short: 'q', meaning: 'Show no progress.' },
} as const satisfies Options;

/** Tells how something goes, to a person on the standard error, or to a program on the standard output. */
export interface Reporter {
  step(step: Step): void;
  /** A status event of a render. */
  status(event: RenderStatusEvent): void;
  /** The result: an object for programs, text for people's pipes. */
  result(result: object, text: string): Promise<void>;
  /** Says something to a person. */
  say(text: string): void;
  /** Takes the bar away. */
  close(): void;
}

/** How a reporter tells things. */
type Manner = Readonly<Record<keyof typeof reportOptions, boolean | undefined>>;

/** Events about bytes are no closer than this. */
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

/** Opens a reporter. */
export function createReporter(terminal: Terminal, manner: Partial<Manner>): Reporter {
  const events = manner.events === true;
  const progress = manner.quiet === true || events ? undefined : createProgress(terminal.error);
  let toldAt = Number.NEGATIVE_INFINITY;
  let toldStage = '';

  function tell(event: object): void {
    // The next line waits for nobody: the stream keeps them in order.
    if (events) void terminal.print(`${visibleJson(event)}\n`);
  }

  return {
    step(step) {
      progress?.show(step);
      if (step.stage === toldStage && performance.now() - toldAt < EVENT_MS) return;
      [toldStage, toldAt] = [step.stage, performance.now()];
      tell({ event: 'progress', ...step });
    },
    status(event) {
      const known = event.status !== 'pending' && event.status !== 'queued';
      progress?.show({ stage: stages[event.status], fraction: known ? event.progress / 100 : undefined });
      tell({ event: 'status', ...event });
    },
    async result(result, text) {
      progress?.clear();
      if (events) await terminal.print(`${visibleJson({ event: 'result', ...result })}\n`);
      else await terminal.print(manner.json === true ? `${visibleJson(result, 2)}\n` : text);
    },
    say(text) {
      progress?.clear();
      if (manner.quiet !== true && !events && manner.json !== true) terminal.say(text);
    },
    close() {
      progress?.clear();
    },
  };
}

/** Tells an error: as JSON to programs that asked for it, and in words to people. */
export async function reportError(error: unknown, terminal: Terminal, asJson: boolean): Promise<void> {
  if (asJson) await terminal.print(`${errorJson(error)}\n`);
  printError(error, terminal);
}
