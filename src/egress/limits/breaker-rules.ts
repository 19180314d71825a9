/** Maximum number of outcomes that a circuit remembers, each for a different subject. */
export const maxRequests = 200;

/** When a circuit opens. */
export interface BreakerRules {
  /** Percentage of the last minute's requests that must have failed. */
  readonly failurePercentage: number;
  /** Minimum number of requests in the last minute, each for a different subject. */
  readonly requests: number;
  /** Seconds until the first probe. */
  readonly pause: number;
}

/**
 * Reads `percentage/requests/pause`, or `off`.
 *
 * @throws Error with the expected format.
 */
export function readBreakerRules(text: string): BreakerRules | undefined {
  if (text === 'off') return undefined;
  const [, failurePercentage, requests, pause] = /^(\d{1,3})\/(\d{1,3})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  const possible =
    failurePercentage !== undefined &&
    failurePercentage >= 1 &&
    failurePercentage <= 100 &&
    requests !== undefined &&
    requests >= 1 &&
    requests <= maxRequests;
  if (possible && pause !== undefined && pause >= 1) return { failurePercentage, requests, pause };
  throw new Error(
    `must be percent/requests/seconds such as 60/10/30, up to 100 percent of up to ${maxRequests} requests, or off`,
  );
}
