import { constants } from 'node:os';
import { MillraceError } from '../../../contract/errors.ts';

const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const errnos = new Set([constants.errno.ENOSPC, constants.errno.EDQUOT]);

/** Whether a file system error means that a disk or quota is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}

/** Whether an error number (errno(3)) means that a disk or quota is full. */
export function isDiskFullErrno(errno: number): boolean {
  return errnos.has(errno);
}

/** Creates the error for a full disk. */
export function diskFullError(cause?: unknown): MillraceError {
  const message = "The service's disk is full. Wait until other files have expired and start the same job again.";
  return new MillraceError('storage_failed', message, { cause });
}
