import { decodeEntities } from '../../../parsing/plain-text.ts';
import { dig, isFields, parseJson } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';

/** Maximum number of members and items in a search. Recorded pages have fewer than 100,000. */
const MAX_VALUES = 500_000;

/** Maximum number of script blocks of one page. Recorded pages have fewer than 60. */
const MAX_BLOCKS = 500;

/** The site's session for this visit: tokens that its own scripts send. */
export interface Session {
  readonly lsd: string;
  readonly csrf?: string;
  readonly cookie?: string;
  /**
   * IDs of the site's queries, by name. Contains those in the page, which are newer than those of the site settings.
   */
  readonly queryIds: ReadonlyMap<string, string>;
  /** The site's own release values, as its scripts send them back: `__rev`, `__spin_t` and so on. */
  readonly release: Readonly<Record<string, string>>;
}

/** Returns the values of a member in a page's JSON script blocks, without building the rest of the data. */
export function valuesInPage(html: string, name: string): unknown[] {
  return jsonBlocks(html, name).flatMap((block) => valuesUnder(block, name));
}

/** Returns every value of a member, at any depth. The site sometimes appends `@` and a hash to names. */
export function valuesUnder(root: unknown, name: string): unknown[] {
  const matches: unknown[] = [];
  const stack: unknown[] = [root];
  for (let visits = 0; stack.length > 0 && visits < MAX_VALUES; visits += 1) {
    const value = stack.pop();
    if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at -= 1) stack.push(value[at]);
    else if (isFields(value)) {
      for (const [key, member] of Object.entries(value).reverse()) {
        if (key === name || key.startsWith(`${name}@`)) matches.push(member);
        else if (typeof member === 'object') stack.push(member);
      }
    }
  }
  return matches;
}

/** Returns the JSON script blocks of a page that contain a text. */
function jsonBlocks(html: string, content: string): unknown[] {
  const blocks: unknown[] = [];
  let position = 0;
  for (let count = 0; count < MAX_BLOCKS; count += 1) {
    const hit = html.indexOf(content, position);
    const end = hit < 0 ? -1 : html.indexOf('</script>', hit);
    if (end < 0) break;
    // Searches only the text after the last block.
    const before = html.slice(position, hit);
    const tag = before.lastIndexOf('<script');
    const start = tag < 0 ? -1 : before.indexOf('>', tag) + 1;
    if (start > 0 && before.slice(tag, start).includes('application/json')) {
      blocks.push(parseJson(html.slice(position + start, end)));
    }
    position = end;
  }
  return blocks;
}

/** Returns the site's own name for the type of a page, such as `PolarisErrorRoute`. */
export function routeOf(html: string): string | undefined {
  return /"canonicalRouteName":"comet\.igweb\.(\w{1,100})"/.exec(html)?.[1];
}

/** Returns the tokens of a page visit, or undefined if the page has none. */
export function sessionOf({ text, headers }: SourceResponse): Session | undefined {
  const lsd =
    /"LSD",\[\],\{"token":"([\w-]{1,100})"/.exec(text)?.[1] ??
    /^[^>]*>[^<]*?"l":"([\w-]{1,100})"/.exec(text.split('id="__eqmc"', 2)[1] ?? '')?.[1];
  if (lsd === undefined) return undefined;
  const cookies = [headers['set-cookie'] ?? []]
    .flat()
    .flatMap((line) => /^[\w-]{1,64}=[^;,\s]{0,1000}/.exec(line) ?? []);
  const csrf =
    cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ??
    /"csrf_token":"([\w-]{1,100})"/.exec(text)?.[1];
  return {
    lsd,
    ...(csrf === undefined ? {} : { csrf }),
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
    queryIds: queryIdsOf(text),
    release: releaseOf(text),
  };
}

/** Returns the IDs of the queries that a page's scripts are about to send, by name. */
function queryIdsOf(html: string): ReadonlyMap<string, string> {
  const preloaders = html.matchAll(/"preloaderID":"adp_(\w{1,180})","queryID":"(\d{1,25})"/g);
  return new Map(
    [...preloaders].flatMap(([, preloader = '', id = '']) => {
      const end = preloader.indexOf('RelayPreloader_');
      return end > 0 ? [[preloader.slice(0, end), id] as const] : [];
    }),
  );
}

/** Names under which the site's scripts send back members of the page's `SiteData` (seen 2024-03). */
const releaseMembers = {
  __hs: 'haste_session',
  __rev: 'client_revision',
  __hsi: 'hsi',
  __spin_r: '__spin_r',
  __spin_b: '__spin_b',
  __spin_t: '__spin_t',
} as const;

function releaseOf(html: string): Record<string, string> {
  const data = parseJson(/"SiteData",\[\],(\{[^{}]{0,4000}\})/.exec(html)?.[1] ?? '');
  return Object.fromEntries(
    Object.entries(releaseMembers).flatMap(([parameter, name]) => {
      const value = String(dig(data, name) ?? '');
      return /^[\w:.-]{1,100}$/.test(value) ? [[parameter, value]] : [];
    }),
  );
}

/** Returns the content of a page's `og:` tag, with character references decoded. */
export function openGraph(html: string, name: 'title' | 'description' | 'image'): string | undefined {
  const tags = html.matchAll(/<meta property="og:(title|description|image)" content="([^"<>]{0,4000})"/g);
  const tag = tags.find(([, property]) => property === name)?.[2];
  return tag === undefined || tag === '' ? undefined : decodeEntities(tag);
}
