import type { Lab } from '../../lab.ts';
import { fetchThrough, json } from '../../testing.ts';

// Helpers that the tests of the simulated p1 share.

/** Part of a response. */
export type Value = Readonly<Record<string, unknown>>;

/** Response to an InnerTube request. */
export interface SiteResponse {
  readonly status: number;
  readonly body: Value;
}

/** Sends a request to the site as a client. */
export type CallSite = (endpoint: string, body: Value, client?: Value, query?: string) => Promise<SiteResponse>;

/** Returns a function that sends requests to a lab, as WEB in English unless `client` overrides it. */
export function siteCaller(lab: Pick<Lab, 'port'>): CallSite {
  return async (endpoint, body, client = {}, query = '') => {
    const requestBody = { context: { client: { clientName: 'WEB', hl: 'en', ...client } }, ...body };
    const host = client.clientName === undefined ? 'www.youtube.com' : 'youtubei.googleapis.com';
    const response = await fetchThrough(lab, `https://${host}/youtubei/v1/${endpoint}?prettyPrint=false${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'test' },
      body: JSON.stringify(requestBody),
    });
    return { status: response.status, body: json(response) };
  };
}

/** Returns every value of a key at any depth, in order. */
export function under(value: unknown, key: string): Value[] {
  if (Array.isArray(value)) return value.flatMap((item) => under(item, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === key ? [member as Value] : []),
    ...under(member, key),
  ]);
}

/** Returns every text of a key. */
export function texts(value: unknown, key: string): string[] {
  return under(value, key).filter((candidate): candidate is Value & string => typeof candidate === 'string');
}

/** Returns the token at the end of a response's list; tokens of replies, orders and panels are ignored. */
export function nextToken(value: unknown): string | undefined {
  const later = under(value, 'continuationItems');
  const lists = later.length > 0 ? later : ['contents', 'items', 'results'].flatMap((name) => under(value, name));
  const ends = lists.flatMap((list) => (Array.isArray(list) ? [list.at(-1) as Value | undefined] : []));
  return ends.flatMap((end) => texts([end?.continuationItemRenderer, end?.continuationItemViewModel], 'token')).at(-1);
}

/** Requests all pages of a list, 30 at most, and returns the responses in order. */
export async function pages(ask: CallSite, endpoint: string, first: Value): Promise<Value[]> {
  const collected: Value[] = [];
  let body: Value | undefined = first;
  while (body !== undefined && collected.length < 30) {
    const response: SiteResponse = await ask(endpoint, body);
    collected.push(response.body);
    const continuation = nextToken(response.body);
    body = continuation === undefined ? undefined : { continuation };
  }
  return collected;
}
