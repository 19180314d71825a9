import { hash } from 'node:crypto';
import { MillraceError } from '../../contract/errors.ts';
import { mergedSubjects, noSubjects } from '../../contract/subjects.ts';
import type { EndpointParameters, Pages } from '../../platforms/platform.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** Validity of page tokens, as documented in the contract. */
const LIFETIME_MS = 15 * 60_000;

/** Maximum length in characters. It leaves room in a URL for the other parameters. */
const MAX_TOKEN_LENGTH = 6_000;

/**
 * Opens a request's `nextToken` and creates the tokens of further pages. Nothing is stored: a token is the sealed
 * endpoint, a hash of the other parameters, the expiry, the cursor, and the items and channels that the list belongs to.
 *
 * @param endpoint Platform and path of the endpoint; tokens are bound to it.
 * @param parameters The parameters of the source query, and `nextToken`.
 * @throws MillraceError `invalid_token` for a token that is forged, expired, or of another endpoint or query.
 */
export function openPages(
  sealer: Sealer,
  endpoint: string,
  parameters: EndpointParameters,
  now: () => number = Date.now,
): Pages {
  const { nextToken, ...others } = parameters;
  const opened =
    typeof nextToken === 'string'
      ? openToken(sealer.open('page-token', nextToken), endpoint, hashOf(others), now())
      : undefined;
  return {
    ...opened,
    token(next, subjects) {
      if (next === undefined) return null;
      const { items, channels } = mergedSubjects(opened?.subjects ?? noSubjects, subjects);
      const content = [endpoint, hashOf(others), now() + LIFETIME_MS, next, items, channels];
      const token = sealer.seal('page-token', content);
      if (token.length <= MAX_TOKEN_LENGTH) return token;
      throw new MillraceError(
        'invalid_response_data',
        "The source's cursor for the next page is too long for a nextToken.",
      );
    },
  };
}

function openToken(
  content: unknown,
  endpoint: string,
  query: string,
  now: number,
): Pick<Pages, 'subjects'> & Required<Pick<Pages, 'cursor'>> {
  const [tokenEndpoint, tokenQuery, expiresAt, cursor, items, channels]: unknown[] = Array.isArray(content)
    ? content
    : [];
  if (typeof expiresAt !== 'number' || typeof cursor !== 'string') throw invalidToken('is not valid');
  if (tokenEndpoint !== endpoint) throw invalidToken('belongs to another endpoint');
  if (tokenQuery !== query) throw invalidToken('belongs to a query with other parameters');
  if (expiresAt <= now) throw invalidToken('is older than 15 minutes');
  // Tokens of former versions have no subjects.
  return { cursor, subjects: { items: textsOf(items), channels: textsOf(channels) } };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function invalidToken(why: string): MillraceError {
  const message = `The nextToken ${why}. Start again without it, or send it with the parameters that it was issued for.`;
  return new MillraceError('invalid_token', message, { parameter: 'nextToken' });
}

function hashOf(parameters: EndpointParameters): string {
  const entries = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(entries), 'base64url').slice(0, 22);
}
