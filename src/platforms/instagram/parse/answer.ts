import { parseSiteJson } from '../../reading.ts';

/** Parses a JSON response of the site's interface, which may start with `for (;;);`. Returns undefined for a page. */
export function parseAnswer(body: string): unknown {
  return parseSiteJson(body.replace(/^\s{0,100}for \(;;\);/, ''));
}
