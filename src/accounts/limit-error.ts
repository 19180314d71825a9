import { MillraceError } from '../contract/errors.ts';

/** How much of a limit is left. */
export interface Allowance {
  /** Most that there can be: credits a month, or requests a second. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until it is renewed. */
  readonly reset: number;
}

/** A caller is over a limit: `rate_limited` or `quota_exceeded`. */
export class LimitError extends MillraceError {
  readonly allowance: Allowance;

  /** @param retryAfter - seconds after which the same request may succeed, if that is before the limit is renewed. */
  constructor(code: 'rate_limited' | 'quota_exceeded', message: string, allowance: Allowance, retryAfter?: number) {
    const options = retryAfter === undefined ? { retryAfter: allowance.reset } : { retryAfter, retryable: true };
    super(code, message, options);
    this.allowance = allowance;
  }
}

/** Headers that tell how much is left (draft-ietf-httpapi-ratelimit-headers-05). */
export function allowanceHeaders({ limit, remaining, reset }: Allowance): Record<string, string> {
  return { 'ratelimit-limit': `${limit}`, 'ratelimit-remaining': `${remaining}`, 'ratelimit-reset': `${reset}` };
}
