import { MillraceError } from '../contract/errors.ts';

/** A limit, and how much of it remains. */
export interface Allowance {
  /** The limit: credits per month, or requests per second. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until it is renewed. */
  readonly reset: number;
}

/** The error for a caller over a limit: `rate_limited` or `quota_exceeded`. */
export class LimitError extends MillraceError {
  readonly allowance: Allowance;

  /** @param retryAfter Seconds after which the same request may succeed, if that is before the limit is renewed. */
  constructor(code: 'rate_limited' | 'quota_exceeded', message: string, allowance: Allowance, retryAfter?: number) {
    const options = retryAfter === undefined ? { retryAfter: allowance.reset } : { retryAfter, retryable: true };
    super(code, message, options);
    this.allowance = allowance;
  }
}

/** Returns the headers for an allowance (draft-ietf-httpapi-ratelimit-headers-05). */
export function allowanceHeaders({ limit, remaining, reset }: Allowance): Record<string, string> {
  return { 'ratelimit-limit': `${limit}`, 'ratelimit-remaining': `${remaining}`, 'ratelimit-reset': `${reset}` };
}
