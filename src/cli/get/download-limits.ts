import type { Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { parseSize } from '../command-line/parse-size.ts';
import { UsageError } from '../errors/command-errors.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

/** Maximum number of retries, so that a command ends. */
const MAX_RETRIES = 100;

/** The options that limit downloads. */
export const limitOptions = {
  'limit-rate': {
    type: 'string',
    short: 'r',
    value: '<size>',
    description: 'Maximum speed of all downloads together, per second, such as 2M.',
  },
  retries: {
    type: 'string',
    short: 'R',
    value: '<number>',
    description: `How often to retry a download without progress, and a render with a temporary failure; up to ${MAX_RETRIES}.`,
  },
} as const satisfies Options;

/** Limits of the downloads of a command. */
export interface DownloadLimits {
  /** Shared by all downloads; absent for full speed. */
  readonly rate?: RateLimit;
  /** Retries of a download without progress, and of a render with a temporary failure; absent for the defaults. */
  readonly retries?: number;
  /** What ends the download of a small file; absent for media. */
  readonly small?: SmallFileLimits;
}

/** Limits of a file that is always small, such as a receipt. */
export interface SmallFileLimits {
  readonly maxBytes: number;
  /** Milliseconds for all of it, however often data arrives. */
  readonly timeout: number;
}

/** Reads the options that limit downloads. @throws UsageError */
export function readDownloadLimits({
  'limit-rate': rate,
  retries,
}: Readonly<Partial<Record<keyof typeof limitOptions, string | undefined>>>): DownloadLimits {
  return {
    ...(rate === undefined ? {} : { rate: createRateLimit(parseSize('limit-rate', rate)) }),
    ...(retries === undefined ? {} : { retries: readRetries(retries) }),
  };
}

function readRetries(text: string): number {
  const retries = parseWholeNumber('retries', text, 0);
  if (retries <= MAX_RETRIES) return retries;
  throw new UsageError(`--retries must be at most ${MAX_RETRIES}, not ${text}.`);
}
