import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { itemKeyOf, onlyProfile } from '../../contract/media-origin.ts';
import type { Exit, Exits } from '../../egress/exits.ts';
import type { MediaHealth } from '../../media-health/media-health.ts';
import type { SourceClient } from '../../platforms/platform.ts';
import type { SourceQuery } from '../request/source-query.ts';
import { type ExitSession, openExitSession } from './exit-session.ts';
import { createRetryBudget } from './retry-budget.ts';
import { createSourceClient } from './source-client.ts';
import type { SourcePolicy } from './source-policy.ts';

/** Dependencies for reaching sources. */
export interface SourceAccess {
  readonly exits: Exits;
  readonly policy: SourcePolicy;
  /** Decides which exits and client profiles are tried first. Absent for probes, which try each one. */
  readonly mediaHealth?: Pick<MediaHealth, 'order' | 'isAvoided' | 'used'>;
}

/** The exit sessions of one extraction. The first one uses the exit that the caller chose. */
export interface ExitSessions {
  readonly source: SourceClient;
  /** The exit of {@link source}. */
  readonly exit: Exit;
  /** Returns a client through an exit in a country, the same one each time. */
  sourceIn(country: string): SourceClient;
  /** Ends the sessions after a success, through the exit of `country` if given, and returns the ID of that exit. */
  succeed(country: string | undefined): string;
  /**
   * Ends the sessions after a failure, and returns its error. If the breaker denied the extraction its requests,
   * returns the breaker's error, which is more informative than the platform's.
   */
  fail(error: unknown): unknown;
}

/**
 * Opens the exit sessions of an extraction. Among the exits of a country, one with a closed circuit is preferred, and
 * among these, one through which the media of a client profile arrives.
 *
 * @param timeLeft Milliseconds that the extraction has left.
 * @throws MillraceError `unsupported_proxy_for_geo_targeting` if no exit is in the country.
 */
export function openExitSessions(
  query: SourceQuery,
  caller: Caller,
  { exits, policy, mediaHealth }: SourceAccess,
  timeLeft: () => number,
  signal: AbortSignal,
): ExitSessions {
  const { platform, endpoint, item, parameters, exit: requestedExit } = query;
  const subject = itemKeyOf({ platform, endpoint: endpoint.path, parameters, item });
  const retries = createRetryBudget(timeLeft, signal, () => policy.countRetry(platform));
  const sessions: ExitSession[] = [];
  const inCountry = (country: string) => sessions.find(({ exit }) => exit.country === country);

  const openIn = (country?: string): ExitSession => {
    const candidates = exits.forCountry(country);
    const permitted = candidates.filter(({ id }) => policy.breaker.permits(platform, id, caller));
    const exit = permitted.find(({ id }) => !avoidsExit(query, id, mediaHealth)) ?? permitted[0] ?? candidates[0];
    if (exit === undefined) throw unsupportedCountry(country, exits.countries);
    return open(exit);
  };
  const open = (exit: Exit): ExitSession => {
    const client = createSourceClient(exit, caller, signal);
    const session = openExitSession(exit, client, { platform, subject, caller, policy, retries, signal });
    sessions.push(session);
    // With strategies, the extraction chooses one of them.
    if (query.endpoint.strategies === undefined) mediaHealth?.used({ platform, exit: exit.id }, onlyProfile);
    return session;
  };
  const end = (main: ExitSession, outcome: { readonly error?: unknown }) => {
    for (const session of sessions) session.end(session === main ? outcome : undefined);
  };

  const { countryCode } = parameters;
  const first =
    requestedExit === undefined
      ? openIn(typeof countryCode === 'string' ? countryCode : undefined)
      : open(exits.byId(requestedExit));
  return {
    source: first.source,
    exit: first.exit,
    sourceIn: (country) => (inCountry(country) ?? openIn(country)).source,
    succeed(country) {
      const main = country === undefined ? first : (inCountry(country) ?? first);
      end(main, {});
      return main.exit.id;
    },
    fail(error) {
      end(first, { error });
      return first.denial ?? error;
    },
  };
}

/** Whether an extraction should avoid every client profile at an exit. */
function avoidsExit(
  { platform, endpoint, parameters, item }: SourceQuery,
  exit: string,
  mediaHealth: SourceAccess['mediaHealth'],
): boolean {
  if (mediaHealth === undefined) return false;
  const itemKey = itemKeyOf({ platform, endpoint: endpoint.path, parameters, item });
  const isAvoided = (profile: string) => mediaHealth.isAvoided({ platform, exit }, itemKey, profile);
  // Links of a platform with strategies may still have no profile.
  return isAvoided(onlyProfile) || endpoint.strategies?.every(isAvoided) === true;
}

function unsupportedCountry(country: string | undefined, countries: readonly string[]): MillraceError {
  const message = `No exit is configured in ${country}. Try another countryCode, or omit it.`;
  return new MillraceError('unsupported_proxy_for_geo_targeting', message, {
    parameter: 'countryCode',
    detail: { availableCountries: countries },
  });
}
