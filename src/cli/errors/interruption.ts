import { constants } from 'node:os';

/** A signal of the system ended the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** As shells count it: 128 and the signal's number. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') {
    super('Interrupted.');
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Nobody reads the output any more, so there is nothing left to do. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

/** Aborts at the first signal, so that everything is put away; ends the process at the second. */
export function abortOnSignals(controller: AbortController): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      const interruption = new Interrupted(name);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  }
}
