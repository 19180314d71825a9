import { MillraceError } from '../../../contract/errors.ts';
import { requestScript } from '../requests.ts';
import { type ListName, listQueries, type Site } from '../site.ts';
import { type Lookup, timeLeft } from './fetch-page.ts';

/** Maximum number of scripts to search per page, of concurrent requests, and of milliseconds per request. */
const MAX_SCRIPTS = 16;
const AT_A_TIME = 4;
const TIMEOUT_MS = 4_000;

/** Maximum length of a script's address, in characters. */
const MAX_SCRIPT_URL = 600;

/** The current document IDs of the site's operations. */
export interface DocumentIds {
  /** Document IDs to try, the most likely first. */
  candidates(list: ListName): readonly string[];
  /** Searches the scripts of a page for the document ID and caches it. Returns undefined if none contains it. */
  discover(list: ListName, html: string, lookup: Lookup): Promise<string | undefined>;
}

/** Creates the document IDs of one service: those from its operator's settings, and those found in pages' scripts. */
export function createDocumentIds({ documentIds, userAgent }: Site): DocumentIds {
  const discoveries = new Map<ListName, string>();
  const search = async (list: ListName, url: string, lookup: Lookup) => {
    const { source, signal } = lookup.context;
    try {
      const timeout = Math.min(TIMEOUT_MS, timeLeft(lookup));
      return readDocumentId(listQueries[list], (await requestScript(source, url, userAgent, timeout)).text);
    } catch (error) {
      // Another script may contain the document ID.
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

/** Returns the scripts that a page references on the site's script host. */
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

/**
 * Returns the document ID of an operation in a script:
 * `__d("<operation>_facebookRelayOperation",[],(function(…){e.exports="123"}`.
 */
export function readDocumentId(operation: string, script: string): string | undefined {
  const at = script.indexOf(`"${operation}_facebookRelayOperation"`);
  return at < 0 ? undefined : /exports\s*=\s*"(\d{6,30})"/.exec(script.slice(at, at + 500))?.[1];
}
