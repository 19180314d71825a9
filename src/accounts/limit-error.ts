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

  constructor(code: 'rate_limited' | 'quota_exceeded', message: string, allowance: Allowance) {
    super(code, message, { retryAfter: allowance.reset });
    this.allowance = allowance;
  }
}

/** Headers that tell how much is left (draft-ietf-httpapi-ratelimit-headers-05). */
export function allowanceHeaders({ limit, remaining, reset }: Allowance): Record<string, string> {
  return { 'ratelimit-limit': `${limit}`, 'ratelimit-remaining': `${remaining}`, 'ratelimit-reset': `${reset}` };
}
