import { parseJson } from '../../../parsing/values.ts';

/** Maximum number of elements of one id that are examined; the site has one, or twice the same. */
const MAX_ELEMENTS = 8;

/** The content of a script element of JSON: undefined where it is not JSON (on a truncated page, say). */
interface ScriptData {
  readonly json: unknown;
}

/** Reads the script element with an id out of a page, without reading the rest of the page; undefined without one. */
export function scriptData(html: string, id: string): ScriptData | undefined {
  const name = `id="${id}"`;
  let at = html.indexOf(name);
  for (let count = 0; at >= 0 && count < MAX_ELEMENTS; count += 1) {
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
