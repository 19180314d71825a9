import { MillraceError } from '../../contract/errors.ts';
import type { PutAttempt } from './put-file.ts';

/** Returns the error for a store that refused a file for good. It shows nothing of the URL except the host. */
export function refusedError(host: string, { status, error }: PutAttempt): MillraceError {
  if (status === null && error !== undefined) return error;
  const advice =
    status !== null && status < 400
      ? 'Redirects are not followed; start the job again with the URL that it leads to.'
      : 'The URL has probably expired, or was signed for other headers; start the job again with a new one.';
  return new MillraceError('delivery_refused', `Your store at ${host} returned ${status}. ${advice}`);
}

/** Returns the error for a file that was not delivered in time. `last` is the last attempt that ended. */
export function deliveryTimeoutError(host: string, last: PutAttempt | undefined): MillraceError {
  const message =
    `The file could not be uploaded to your store at ${host} in the time of the job (${reasonOf(last)}). ` +
    'Start the job again when the store is available.';
  return new MillraceError('delivery_failed', message, { cause: last?.error });
}

/** Returns the error for a file whose delivery is not retried, because the worker cannot retain it. */
export function notRetriedError(host: string, last: PutAttempt, cause: unknown): MillraceError {
  const message =
    `The file could not be uploaded to your store at ${host} (${reasonOf(last)}), and the service has no space for ` +
    'retries. Start the job again later.';
  return new MillraceError('delivery_failed', message, { cause });
}

function reasonOf(attempt: PutAttempt | undefined): string {
  if (attempt === undefined) return 'it did not respond';
  const { status, error } = attempt;
  if (status === null) return error?.code ?? 'it did not respond';
  return `it returned ${status}${status < 300 ? ' before it had the whole file' : ''}`;
}
