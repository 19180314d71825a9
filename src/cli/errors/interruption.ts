import { constants } from 'node:os';

/** A signal ended the command. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  /** 128 plus the signal's number, as in shells. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') {
    super('Interrupted.');
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** The reader has closed the output, so there is nothing left to do. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

/** Aborts at the first signal of a process, for an orderly shutdown; exits at the second. */
export function abortOnSignals(controller: AbortController, signals: Pick<NodeJS.Process, 'on'>): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    signals.on(name, () => {
      const interruption = new InterruptedError(name);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  }
}
