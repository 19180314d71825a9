import { MillraceError } from '../../../contract/errors.ts';
import { requestScript } from '../requests.ts';
import { type ListName, listQueries, type Site } from '../site.ts';
import { type Lookup, timeLeft } from './fetch-page.ts';

/** Scripts of a page that are looked through, at most; how many at a time, and milliseconds for each. */
const MAX_SCRIPTS = 16;
const AT_A_TIME = 4;
const TIMEOUT_MS = 4_000;

/** Longest address of a script, in characters. */
const MAX_SCRIPT_URL = 600;

/** The numbers that the site's operations have at the moment. */
export interface DocumentIds {
  /** Numbers to try, the likeliest first. */
  candidates(list: ListName): readonly string[];
  /** Looks the number up in the scripts of a page, and remembers it; undefined where none has it. */
  discover(list: ListName, html: string, lookup: Lookup): Promise<string | undefined>;
}

/** Makes the numbers of one service, from its operator's settings and from scripts of pages since. */
export function createDocumentIds({ documentIds, userAgent }: Site): DocumentIds {
  const discoveries = new Map<ListName, string>();
  const search = async (list: ListName, url: string, lookup: Lookup) => {
    const { source, signal } = lookup.context;
    try {
      const timeout = Math.min(TIMEOUT_MS, timeLeft(lookup));
      return readDocumentId(listQueries[list], (await requestScript(source, url, userAgent, timeout)).text);
    } catch (error) {
      // Another script may have it.
      if (!(error instanceof MillraceError) || signal.aborted) throw error;
      return undefined;
    }
  };
  return {
    candidates: (list) => [
      ...new Set([...(discoveries.has(list) ? [discoveries.get(list) ?? ''] : []), ...documentIds[list]]),
    ],
    async discover(list, html, lookup) {
      const scripts = scriptsOf(html);
      for (let at = 0; at < scripts.length; at += AT_A_TIME) {
        const batch = scripts.slice(at, at + AT_A_TIME);
        const documentId = (await Promise.all(batch.map((url) => search(list, url, lookup)))).find(Boolean);
        if (documentId === undefined) continue;
        discoveries.set(list, documentId);
        return documentId;
      }
      return undefined;
    },
  };
}

/** The scripts that a page names, at the site's own host for them. */
export function scriptsOf(html: string): string[] {
  const links = html.matchAll(/https:(?:\\?\/){2}static\.xx\.fbcdn\.net\\?\/rsrc\.php[^"'\s<>?]+/g);
  const scripts = new Set<string>();
  for (const [link] of links) {
    if (!link.endsWith('.js') || link.length > MAX_SCRIPT_URL) continue;
    scripts.add(link.replaceAll('\\/', '/'));
    if (scripts.size >= MAX_SCRIPTS) break;
  }
  return [...scripts];
}

/** The number of an operation in a script: `__d("<operation>_facebookRelayOperation",[],(function(…){e.exports="123"}`. */
export function readDocumentId(operation: string, script: string): string | undefined {
  const at = script.indexOf(`"${operation}_facebookRelayOperation"`);
  return at < 0 ? undefined : /exports\s*=\s*"(\d{6,30})"/.exec(script.slice(at, at + 500))?.[1];
}
