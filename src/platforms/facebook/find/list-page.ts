import { MillraceError } from '../../../contract/errors.ts';
import { isFields, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import { readGraphql } from '../parse/page.ts';
import type { ListPage } from '../parse/profile-lists.ts';
import { type Records, readRecords } from '../parse/records.ts';
import { readGraphqlRefusal } from '../parse/refusal.ts';
import { requestGraphql } from '../requests.ts';
import { type ListName, listQueries } from '../site.ts';
import type { DocumentIds } from './document-ids.ts';
import { type Lookup, type ParsedPage, timeLeft } from './fetch-page.ts';

/** Number of items on a further page. */
const COUNT = 10;

/** A position in a profile's list, as stored in a page token's cursor. */
type Place = NonNullable<ListPage['next']>;

/**
 * Parses the cursor of a page token.
 *
 * @throws MillraceError `invalid_token`.
 */
export function readPlace(cursor: string): Place {
  const place = parseSiteJson(cursor);
  const [collection, after] = isFields(place) ? [text(place.collection), text(place.cursor)] : [];
  if (collection !== undefined && after !== undefined) return { collection, cursor: after };
  throw new MillraceError('invalid_token', 'nextToken does not belong to this list. Start again without it.');
}

/** A further page of a list. */
interface FurtherPage {
  readonly list: ListName;
  readonly place: Place;
  /** The tab, whose token and switches the request must send. */
  readonly tab: ParsedPage & { readonly url: string };
}

/**
 * Requests a further page of a list.
 *
 * @throws MillraceError `signin_required` or `non_2xx_response` if the site denies guests further pages.
 * `invalid_response_data` if the operation's document ID is unknown.
 */
export async function requestListPage(
  { list, place, tab }: FurtherPage,
  documentIds: DocumentIds,
  lookup: Lookup,
): Promise<Records> {
  const { context, site } = lookup;
  const operation = listQueries[list];
  const variables = {
    count: COUNT,
    cursor: place.cursor,
    id: place.collection,
    renderLocation: null,
    scale: 1,
    useDefaultActor: false,
    ...switchesOf(tab.html),
  };
  const lsd = lsdOf(tab.html);
  let error = new MillraceError(
    'invalid_response_data',
    "Further pages cannot be requested: Facebook's page does not contain the required document ID.",
  );
  const request = async (documentId: string): Promise<Records | undefined> => {
    const query = { operation, documentId, variables, lsd, referer: tab.url };
    const { text: body, status } = await requestGraphql(context.source, query, site.userAgent, timeLeft(lookup));
    const refusal = readGraphqlRefusal(body);
    if (refusal === undefined) return readRecords(readGraphql(body, operation));
    if (status === 429 || status >= 500)
      throw new MillraceError('non_2xx_response', `Facebook returned status ${status}. Try again in a moment.`);
    if (!refusal.stale) throw refusal.error;
    error = refusal.error;
    return undefined;
  };
  for (const documentId of documentIds.candidates(list)) {
    const records = await request(documentId);
    if (records !== undefined) return records;
  }
  const documentId = await documentIds.discover(list, tab.html, lookup);
  const records = documentId === undefined ? undefined : await request(documentId);
  if (records === undefined) throw error;
  return records;
}

/** Returns the token that a page's own requests send. */
function lsdOf(html: string): string {
  const token = /"LSD",\[\],\{"token":"([\w-]{1,100})"/.exec(html)?.[1];
  if (token !== undefined) return token;
  throw new MillraceError('invalid_response_data', "Facebook's page has no token for requesting further pages.");
}

/**
 * Returns the switches (`__relay_internal__pv__…`) that a page's own requests send. The site rejects requests that lack
 * one.
 */
function switchesOf(html: string): Readonly<Record<string, unknown>> {
  const switches: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of html.matchAll(/"(__relay_internal__pv__\w{1,150})":(true|false|\d{1,9})/g)) {
    switches[name] = JSON.parse(value);
    if (Object.keys(switches).length >= 300) break;
  }
  return switches;
}
