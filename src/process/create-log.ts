import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import type { logFormats } from '../settings/process-settings.ts';
import { createBatchedOutput } from './batched-output.ts';

/** How a process logs. */
interface LogOptions {
  readonly level: string;
  /** Default: `pretty` on a terminal, otherwise `json`. */
  readonly format: (typeof logFormats)[number] | undefined;
  /** The open file to write to: 1 is standard output, 2 standard error. */
  readonly descriptor: 1 | 2;
}

/** Creates the log of a process: JSON lines with the names of levels and ISO times, or the same for a terminal. */
export async function createLog({ level, format, descriptor }: LogOptions): Promise<Logger> {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (format === 'json' || (format === undefined && !isatty(descriptor)))
    return pino(options, createBatchedOutput(descriptor));
  // Loaded on demand: most services do not use it.
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({ destination: descriptor, sync: true, translateTime: false, singleLine: true, ignore: 'pid,hostname' }),
  );
}
