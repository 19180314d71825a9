import { StartError } from '../../contract/start-error.ts';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import { errorMessage } from '../error-message.ts';
import { DamagedDatabaseError } from './damage-checks.ts';
import { isSystemError } from './engine-file-system.ts';

/** The embedded database could not be opened or created, for a reason outside of it: it is not known to be damaged. */
export class DatabaseOpenError extends StartError {
  override readonly name = 'DatabaseOpenError';
}

/** The last error that the engine logged. */
export interface EngineError {
  /** https://www.postgresql.org/docs/current/errcodes-appendix.html */
  readonly state: string;
  readonly message: string;
  readonly detail?: string;
}

/** Errors beside the one that was thrown. */
interface RelatedErrors {
  readonly engineError?: EngineError | undefined;
  /** The last error of the operating system. */
  readonly systemError?: Error | undefined;
}

const permission = 'Make the service the owner of everything in it (chown -R), then start again.';
const descriptors = 'Raise the limit of open files (ulimit -n), then start again.';
const space = 'Free space on its file system, then start again.';
const memory = 'Give the service more memory, then start again.';
const hardware = 'Check the disk and its file system (the kernel log says more), then start again.';

/** What to do about an error of the operating system. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: 'Mount its file system so that the service can write to it, then start again.',
  ENOSPC: space,
  EDQUOT: space,
  EMFILE: descriptors,
  ENFILE: descriptors,
  ENOMEM: memory,
  EIO: hardware,
};

/** What to do about the SQLSTATE that the engine ended with, if the operating system reported no error. */
const remediesByState: readonly (readonly [RegExp, string])[] = [
  // The engine compares permissions by itself, and then does not ask the operating system (pglite 0.5.16).
  [/^42501/, permission],
  [/^53100/, space],
  [/^53200/, memory],
  [/^53/, descriptors],
  [/^58030/, hardware],
];

/**
 * States that say that the contents are damaged: corrupted data and internal errors, a missing file, a missing folder of a
 * database, an invalid control file, an invalid version.
 */
const damageStates = /^(?:XX|58P01|3D000|55000|22023)/;

/**
 * Returns the error for a database that could not be opened. It is damaged only if the engine read it and says so, and the
 * operating system reported no error.
 */
export function toOpenError(folder: string, error: unknown, { engineError, systemError }: RelatedErrors = {}): Error {
  if (error instanceof DamagedDatabaseError || error instanceof DatabaseOpenError) return error;
  if (error instanceof UnsafeFileError) {
    return cannotOpenError(
      folder,
      error.message,
      'Put the file or folder itself in its place, then start again.',
      error,
    );
  }
  const system = systemError ?? error;
  if (isSystemError(system)) {
    return cannotOpenError(
      folder,
      system.message,
      remedies[system.code] ?? 'Remove the cause, then start again.',
      error,
    );
  }
  if (isRefusedByEngine(error)) return cannotOpenError(folder, 'permission denied', permission, error);
  if (error instanceof RangeError) return cannotOpenError(folder, error.message, memory, error);
  const state = engineError?.state ?? stateOf(error);
  const message = engineError?.message ?? errorMessage(error);
  const remedy = remedyOfState(state);
  if (remedy !== undefined) return cannotOpenError(folder, message, remedy, error);
  if (engineError !== undefined && isOfOtherVersion(engineError)) {
    const start = 'Start the version of Millrace that made it, or restore a backup that this version made.';
    return cannotOpenError(folder, engineError.detail ?? message, start, error);
  }
  if (damageStates.test(state)) return damagedDatabaseError(folder, message, error);
  return cannotOpenError(
    folder,
    `the engine failed: ${message}`,
    'Start again; if it fails every time, restore a backup.',
    error,
  );
}

/** Returns the message with which an open database ends its process. */
export function engineFailureMessage(
  folder: string,
  engineError: EngineError | undefined,
  systemError: unknown,
): string {
  const reason = isSystemError(systemError) ? systemError.message : (engineError?.message ?? errorMessage(systemError));
  const remedy = isSystemError(systemError) ? remedies[systemError.code] : remedyOfState(engineError?.state ?? '');
  return (
    `The database in ${folder} cannot continue, so Millrace ends: ${reason.replace(/\.$/, '')}. ` +
    `${remedy ?? 'Start again.'} Nothing that was acknowledged is lost.`
  );
}

function remedyOfState(state: string): string | undefined {
  return remediesByState.find(([states]) => states.test(state))?.[1];
}

/** Returns the error for a database that was read and is damaged. */
export function damagedDatabaseError(folder: string, finding: string, cause?: unknown): DamagedDatabaseError {
  return new DamagedDatabaseError(`The database in ${folder} is damaged: ${finding}`, { cause });
}

function cannotOpenError(folder: string, reason: string, remedy: string, cause: unknown): DatabaseOpenError {
  return new DatabaseOpenError(`The database in ${folder} cannot be opened: ${reason.replace(/\.$/, '')}. ${remedy}`, {
    cause,
  });
}

/** A control file of zeros, as a power cut may leave it, has version 0. */
function isOfOtherVersion({ message, detail = '' }: EngineError): boolean {
  return message === 'database files are incompatible with server' && !detail.includes('PG_CONTROL_VERSION 0,');
}

/** Emscripten's own error has no message, only a number (WASI): 2 is EACCES. */
function isRefusedByEngine(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errno' in error && error.errno === 2;
}

/** The state of an error that answers a query. */
function stateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
