import { constants } from 'node:os';
import { MillraceError } from '../../../contract/errors.ts';

const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const numbers = new Set([constants.errno.ENOSPC, constants.errno.EDQUOT]);

/** Whether an error of the file system means that a disk or a quota is full. */
export function isDiskFull(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && codes.has(thrown.code);
}

/** The same of an error number (errno(3)). */
export function isDiskFullNumber(errno: number): boolean {
  return numbers.has(errno);
}

/** The error for a full disk. */
export function diskFull(cause?: unknown): MillraceError {
  const message = "The service's disk is full. Wait until other files have expired and start the same job again.";
  return new MillraceError('storage_failed', message, { cause });
}
