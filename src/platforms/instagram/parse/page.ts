import { decodeEntities } from '../../../parsing/plain-text.ts';
import { dig } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { parseSiteJson } from '../../reading.ts';
import { type PageQueries, queriesInPage } from './page-queries.ts';

/** The site's session for this visit: tokens that its own scripts send. */
export interface Session {
  readonly lsd: string;
  readonly csrf?: string;
  readonly cookie?: string;
  /** The queries that the page declares, which are newer than those of the site settings. */
  readonly declared: PageQueries;
  /** The site's own release values, as its scripts send them back: `__rev`, `__spin_t` and so on. */
  readonly release: Readonly<Record<string, string>>;
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
    declared: queriesInPage(text),
    release: releaseOf(text),
  };
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
  const data = parseSiteJson(/"SiteData",\[\],(\{[^{}]{0,4000}\})/.exec(html)?.[1] ?? '');
  return Object.fromEntries(
    Object.entries(releaseMembers).flatMap(([parameter, name]) => {
      const value = String(dig(data, name) ?? '');
      return /^[\w:.-]{1,100}$/.test(value) ? [[parameter, value]] : [];
    }),
  );
}

/** Returns the content of a page's `og:` tag, with character references decoded. */
export function openGraph(html: string, name: 'title' | 'description' | 'image' | 'url'): string | undefined {
  const tags = html.matchAll(/<meta property="og:(title|description|image|url)" content="([^"<>]{0,4000})"/g);
  const tag = tags.find(([, property]) => property === name)?.[2];
  return tag === undefined || tag === '' ? undefined : decodeEntities(tag);
}
