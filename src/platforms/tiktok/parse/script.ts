import { parseJson } from '../../../parsing/values.ts';

/** Elements of one id that are looked at; the site has one, or twice the same. */
const MAX_ELEMENTS = 8;

/** What a script element of JSON holds: undefined where that is no JSON (a page that was cut, say). */
export interface ScriptData {
  readonly json: unknown;
}

/** Reads the script element with an id out of a page, without reading the rest of the page; undefined without one. */
export function scriptData(html: string, id: string): ScriptData | undefined {
  const name = `id="${id}"`;
  let at = html.indexOf(name);
  for (let seen = 0; at >= 0 && seen < MAX_ELEMENTS; seen += 1) {
    const open = html.lastIndexOf('<script', at);
    const end = open < 0 ? -1 : html.indexOf('>', open);
    if (end > at) {
      const close = html.indexOf('</script', end);
      return { json: parseJson(html.slice(end + 1, close < 0 ? html.length : close)) };
    }
    at = html.indexOf(name, at + name.length);
  }
  return undefined;
}
