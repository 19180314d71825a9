import { type ErrorCode, MillraceError } from '../../contract/errors.ts';
import { UnreadResponseError } from '../../platforms/unread.ts';
import type { Finding } from './finding.ts';
import { unreadProblems } from './unread-problems.ts';

/** Codes of errors without a response. */
const unreachableCodes: ReadonlySet<ErrorCode> = new Set([
  'connection_error',
  'operation_timeout',
  'service_unavailable',
]);

/** Codes of errors that mean that no parser could read a response. */
const driftCodes: ReadonlySet<ErrorCode> = new Set(['invalid_response_data', 'unexpected_error', 'other']);

/** Codes that a site also returns once the item of a probe is gone. */
const staleCodes: ReadonlySet<ErrorCode> = new Set(['not_found', 'unavailable']);

/** Returns what the error of an extraction says about a probe. Errors of other types are failures of a parser. */
export function classifyFailure(error: unknown): Finding {
  if (!(error instanceof MillraceError)) {
    const message = `The parser failed: ${error instanceof Error ? error.message : String(error)}`;
    return { verdict: 'drifting', problems: [{ kind: 'error', code: 'unexpected_error', message }] };
  }
  const { code } = error;
  const unread = error instanceof UnreadResponseError ? unreadProblems(error.unread) : [];
  const problems = [{ kind: 'error', code, message: error.message } as const, ...unread];
  if (driftCodes.has(code)) return { verdict: 'drifting', problems };
  if (unreachableCodes.has(code)) return { verdict: 'unreachable', problems };
  if (!staleCodes.has(code)) return { verdict: 'refused', problems };
  const message = `${error.message} If other visitors cannot open it either, replace the item of this probe.`;
  return { verdict: 'refused', problems: [{ kind: 'error', code, message }] };
}
