import { parseSiteJson } from '../../reading.ts';

/** Maximum number of elements with one ID that are examined. The site has one, or the same one twice. */
const MAX_ELEMENTS = 8;

/** The content of a JSON script element; undefined if it is not JSON (on a truncated page, for example). */
interface ScriptData {
  readonly json: unknown;
}

/** Maximum number of script elements that are examined. A page has some 30. */
const MAX_SCRIPTS = 200;

/** Returns the values of the JSON script elements that contain a name, whatever their IDs are. */
export function scriptsWith(html: string, name: string): unknown[] {
  const found: unknown[] = [];
  let at = html.indexOf('<script');
  for (let count = 0; at >= 0 && count < MAX_SCRIPTS && found.length < MAX_ELEMENTS; count += 1) {
    const end = html.indexOf('>', at);
    const close = end < 0 ? -1 : html.indexOf('</script', end);
    if (close < 0) break;
    const script = html.slice(end + 1, close);
    if (script.includes(`"${name}"`)) found.push(parseSiteJson(script));
    at = html.indexOf('<script', close);
  }
  return found;
}

/** Reads the script element with an ID without parsing the rest of the page. Returns undefined if there is none. */
export function scriptData(html: string, id: string): ScriptData | undefined {
  const name = `id="${id}"`;
  let at = html.indexOf(name);
  for (let count = 0; at >= 0 && count < MAX_ELEMENTS; count += 1) {
    const open = html.lastIndexOf('<script', at);
    const end = open < 0 ? -1 : html.indexOf('>', open);
    if (end > at) {
      const close = html.indexOf('</script', end);
      return { json: parseSiteJson(html.slice(end + 1, close < 0 ? html.length : close)) };
    }
    at = html.indexOf(name, at + name.length);
  }
  return undefined;
}
