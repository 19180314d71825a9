import { callerOf } from '../../accounts/owner.ts';
import type { DeliveryAttempt } from '../../contract/deliveries.ts';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { bindHeaders } from '../../egress/credentials.ts';
import type { Egress } from '../../egress/egress.ts';
import { retryAfterMs } from './retry-after.ts';
import { signatureHeaders } from './signature-headers.ts';

/** Time limit of one call to a receiver in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000;

/** Parameters of a delivery. */
interface DeliveryRequest {
  readonly egress: Egress;
  /** Whom it is sent for. */
  readonly owner: string;
  /** Identifies the event; the same for each attempt. */
  readonly id: string;
  /** The event, as JSON text. */
  readonly event: string;
  /** Aborts the call; its reason is thrown. */
  readonly signal: AbortSignal;
}

/** The outcome of a call. `refused`: a further call is not wanted, or would have the same outcome. */
export interface CallOutcome extends DeliveryAttempt {
  readonly verdict: 'delivered' | 'refused' | 'failed';
  /** Milliseconds of the response's `Retry-After`, after 429 and 503. */
  readonly retryAfter: number | undefined;
}

/**
 * Posts an event to its receiver. Reads only the head of the response, and follows no redirect.
 *
 * @throws The signal's reason, and no other error.
 */
export async function callReceiver({ url, secret }: Webhook, request: DeliveryRequest): Promise<CallOutcome> {
  const { egress, owner, id, event, signal } = request;
  const startedAt = new Date();
  const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const outcome = (
    verdict: CallOutcome['verdict'],
    status: number | null,
    error: string | null,
    retryAfter?: number,
  ): CallOutcome => ({
    verdict,
    retryAfter,
    at: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    status,
    error,
  });
  try {
    const { status, headers } = await egress.exchange(
      {
        url,
        caller: callerOf(owner),
        method: 'POST',
        headers: bindHeaders(url, {
          'content-type': 'application/json',
          'user-agent': 'Millrace-Webhook/1',
          ...signatureHeaders({ id, timestamp: Math.floor(startedAt.getTime() / 1_000), body: event, secret }),
        }),
        body: event,
        followRedirects: false,
        signal: AbortSignal.any([signal, timeout]),
      },
      () => undefined,
    );
    const busy = status === 429 || status === 503;
    const retryAfter = busy ? retryAfterMs(headers['retry-after'], new Date()) : undefined;
    return outcome(verdictOf(status), status, statusError(status), retryAfter);
  } catch (cause) {
    signal.throwIfAborted();
    const error = timeout.aborted ? receiverTimeoutError(cause) : toMillraceError(cause);
    return outcome(error.retryable ? 'failed' : 'refused', null, error.message);
  }
}

function verdictOf(status: number): CallOutcome['verdict'] {
  if (status >= 200 && status < 300) return 'delivered';
  // RFC 9110 §15.5.11: gone, probably permanently. Receivers use it to unsubscribe.
  return status === 410 ? 'refused' : 'failed';
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'The receiver requested no further attempts.';
  return status >= 300 && status < 400
    ? 'The receiver returned a redirect, which is not followed.'
    : 'The receiver did not accept the event.';
}

function receiverTimeoutError(cause: unknown): MillraceError {
  const message = `The receiver did not respond within ${CALL_TIMEOUT_MS / 1_000} s.`;
  return new MillraceError('operation_timeout', message, { cause });
}
