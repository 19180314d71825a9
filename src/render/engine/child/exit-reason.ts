import { constants } from 'node:os';
import { busyRemedy, mentionsOpenFilesLimit, openFilesLimitText, smallerRemedy } from '../errors/limit-errors.ts';

/** What Node, V8 and the C++ library print before they abort because memory ran out. */
const outOfMemory = /out of memory|allocation failed|bad_alloc/i;

const outOfMemoryRemedy = `${busyRemedy} If it fails again, the file needs too much memory.`;

const crashSignals = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);

/** Why a child ended unexpectedly. */
export interface ExitReason {
  /** Completes a sentence that begins with "The media engine". */
  readonly how: string;
  /** What the caller can do. */
  readonly remedy?: string;
  /** Whether the same job can succeed later. */
  readonly retryable?: boolean;
}

/**
 * Describes why a child ended, from its signal and its output.
 *
 * An abort is deliberate. Node, V8 and the C++ library print that memory ran out. The media library prints nothing: one
 * of its assertions failed, and the same file will make it fail again.
 */
export function describeExit(code: number | null, exitSignal: NodeJS.Signals | null, output: string): ExitReason {
  const signal = exitSignal ?? signalOf(code);
  if (signal === null) {
    if (mentionsOpenFilesLimit(output)) return { how: openFilesLimitText, remedy: busyRemedy };
    return { how: `ended unexpectedly (exit code ${code ?? 'unknown'})` };
  }
  if (crashSignals.has(signal)) {
    return { how: `crashed (${signal})`, remedy: 'Start the job again; if it crashes again, an input may be damaged.' };
  }
  if (outOfMemory.test(output)) return { how: `ran out of memory (${signal})`, remedy: outOfMemoryRemedy };
  switch (signal) {
    case 'SIGABRT':
      return {
        how: 'failed an internal check (SIGABRT): it cannot read an input, or cannot write this result',
        remedy: 'Use another source or output.ext, or change copyStreams; the same job would fail again.',
        retryable: false,
      };
    case 'SIGXFSZ':
      return {
        how: 'was stopped because its result grew too large (SIGXFSZ)',
        remedy: smallerRemedy,
        retryable: false,
      };
    case 'SIGXCPU':
      return { how: 'exceeded its limit of processor time (SIGXCPU)' };
    case 'SIGKILL':
      return {
        how: 'was killed by the system (SIGKILL) for lack of memory or processor time',
        remedy: outOfMemoryRemedy,
      };
    default:
      return { how: `was stopped by a signal (${signal})` };
  }
}

/** Describes a child that could not be started. */
export function describeSpawnError(message: string): ExitReason {
  const how = `could not be started: ${message}`;
  return mentionsOpenFilesLimit(message) ? { how, remedy: busyRemedy } : { how };
}

/** Returns the signal in a shell's exit code, which is 128 plus the number of the signal in most shells. */
function signalOf(code: number | null): NodeJS.Signals | null {
  const names = Object.entries(constants.signals).filter(([, number]) => code === 128 + number);
  return (names[0]?.[0] as NodeJS.Signals | undefined) ?? null;
}
