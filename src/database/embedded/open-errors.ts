import { StartError } from '../../contract/start-error.ts';
import { UnsafeFileError } from '../../files/unsafe-file-error.ts';
import { errorMessage } from '../error-message.ts';
import { DamagedDatabaseError } from './damage-checks.ts';
import { isSystemError } from './engine-file-system.ts';

/**
 * Thrown if the embedded database could not be opened or created for an external reason: it is not known to be damaged.
 */
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

/** Errors related to the one that was thrown. */
interface RelatedErrors {
  readonly engineError?: EngineError | undefined;
  /** The last error of the operating system. */
  readonly systemError?: Error | undefined;
}

const permission = "Make the service's user the owner of all files in it (chown -R), then start again.";
const descriptors = 'Increase the limit of open files (ulimit -n), then start again.';
const space = 'Free space on its file system, then start again.';
const memory = 'Give the service more memory, then start again.';
const hardware = 'Check the disk and its file system (see the kernel log), then start again.';

/** Remedies for errors of the operating system. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: 'Mount its file system with write access for the service, then start again.',
  ENOSPC: space,
  EDQUOT: space,
  EMFILE: descriptors,
  ENFILE: descriptors,
  ENOMEM: memory,
  EIO: hardware,
};

/** Remedies for the engine's final SQLSTATE, if the operating system reported no error. */
const remediesByState: readonly (readonly [RegExp, string])[] = [
  // The engine checks permissions itself, and makes no system call if they are missing (pglite 0.5.16).
  [/^42501/, permission],
  [/^53100/, space],
  [/^53200/, memory],
  [/^53/, descriptors],
  [/^58030/, hardware],
];

/**
 * SQLSTATEs that indicate damaged contents: corrupted data and internal errors, a missing file, a missing folder of a
 * database, an invalid control file, an invalid version.
 */
const damageStates = /^(?:XX|58P01|3D000|55000|22023)/;

/**
 * Returns the error for a database that could not be opened. It counts as damaged only if the engine read it and
 * reported damage, and the operating system reported no error.
 */
export function toOpenError(folder: string, error: unknown, { engineError, systemError }: RelatedErrors = {}): Error {
  if (error instanceof DamagedDatabaseError || error instanceof DatabaseOpenError) return error;
  if (error instanceof UnsafeFileError) {
    return cannotOpenError(
      folder,
      error.message,
      'Replace it with the actual file or folder, then start again.',
      error,
    );
  }
  const system = systemError ?? error;
  if (isSystemError(system)) {
    return cannotOpenError(folder, system.message, remedies[system.code] ?? 'Fix the cause, then start again.', error);
  }
  if (isRefusedByEngine(error)) return cannotOpenError(folder, 'permission denied', permission, error);
  if (error instanceof RangeError) return cannotOpenError(folder, error.message, memory, error);
  const state = engineError?.state ?? stateOf(error);
  const message = engineError?.message ?? errorMessage(error);
  const remedy = remedyOfState(state);
  if (remedy !== undefined) return cannotOpenError(folder, message, remedy, error);
  if (engineError !== undefined && isOfOtherVersion(engineError)) {
    const start = 'Start the version of Millrace that created it, or restore a backup created by this version.';
    return cannotOpenError(folder, engineError.detail ?? message, start, error);
  }
  if (damageStates.test(state)) return damagedDatabaseError(folder, message, error);
  return cannotOpenError(
    folder,
    `the engine failed: ${message}`,
    'Start again; if it keeps failing, restore a backup.',
    error,
  );
}

/** Returns the message that an open database ends its process with. */
export function engineFailureMessage(
  folder: string,
  engineError: EngineError | undefined,
  systemError: unknown,
): string {
  const reason = isSystemError(systemError) ? systemError.message : (engineError?.message ?? errorMessage(systemError));
  const remedy = isSystemError(systemError) ? remedies[systemError.code] : remedyOfState(engineError?.state ?? '');
  return (
    `The database in ${folder} cannot continue, so Millrace stops: ${reason.replace(/\.$/, '')}. ` +
    `${remedy ?? 'Start again.'} No acknowledged data is lost.`
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

/**
 * Whether the error reports that another version created the database. Version 0 does not count: it is that of a
 * control file of zeros, possibly left by a power cut.
 */
function isOfOtherVersion({ message, detail = '' }: EngineError): boolean {
  return message === 'database files are incompatible with server' && !detail.includes('PG_CONTROL_VERSION 0,');
}

/**
 * Whether the engine itself denied access. Emscripten's own error has no message, only a number (WASI): 2 is EACCES.
 */
function isRefusedByEngine(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errno' in error && error.errno === 2;
}

/** Returns the SQLSTATE of a query's error. */
function stateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
