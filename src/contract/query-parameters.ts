/** Maximum number of parameters of a query that is changed. A link has up to 43 in recorded responses (2026-11). */
const MAX_PARAMETERS = 200;

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;

type Query = Pick<URL, 'search'> | null;

/**
 * Returns the first value of a parameter in the query of a URL, as `URLSearchParams` decodes it. All code of the service uses
 * these functions: `URLSearchParams` lists all parameters first, which took 10 ms for a URL of 65,536 characters (Node
 * 26.10.0, 2026-11). A scan for one name takes a fraction of a millisecond.
 *
 * @param name Letters, digits, hyphens and underscores of ASCII.
 */
export function queryParameter(url: Query, name: string): string | undefined {
  const search = url?.search ?? '';
  const end = findName(search, name, 1);
  return end === undefined ? undefined : valueAt(search, end);
}

/** Returns whether a parameter occurs more than once in a URL's query. */
export function isRepeated(url: Query, name: string): boolean {
  const search = url?.search ?? '';
  const end = findName(search, name, 1);
  return end !== undefined && findName(search, name, afterPair(search, end)) !== undefined;
}

/** Removes parameters from a URL's query, and any beyond the first 200. The others remain as they are written. */
export function removeParameters(url: URL, isRemoved: (name: string) => boolean): void {
  write(pairsWithout(url, isRemoved), url);
}

/** Sets parameters of a URL, at the end of its query. Leaves out others beyond the first 200. */
export function setParameters(url: URL, values: Readonly<Record<string, string>>): void {
  const others = pairsWithout(url, (name) => Object.hasOwn(values, name));
  write([...others, String(new URLSearchParams(values))], url);
}

/** Returns where a parameter's name ends, in the first pair from a position on that has this name. */
function findName(search: string, name: string, from: number): number | undefined {
  for (let at = from; at < search.length; at = afterPair(search, at)) {
    const end = endOfName(search, name, at);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** Returns where the next pair begins. */
function afterPair(search: string, from: number): number {
  const end = search.indexOf('&', from);
  return end < 0 ? search.length : end + 1;
}

/** Returns where a name ends that begins at a position, in whatever way it is encoded. Undefined for another name. */
function endOfName(search: string, name: string, from: number): number | undefined {
  let at = from;
  for (let index = 0; index < name.length; index += 1) {
    const isEscape = search.charCodeAt(at) === PERCENT;
    const code = isEscape ? 16 * digitAt(search, at + 1) + digitAt(search, at + 2) : search.charCodeAt(at);
    if (code !== name.charCodeAt(index)) return undefined;
    at += isEscape ? 3 : 1;
  }
  const next = search.charCodeAt(at);
  return at === search.length || next === EQUALS || next === AMPERSAND ? at : undefined;
}

/** Returns the value of a hexadecimal digit, or NaN. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? 10 + letter : Number.NaN;
}

/** Returns the value that follows a name. */
function valueAt(search: string, endOfItsName: number): string {
  const end = search.indexOf('&', endOfItsName);
  return decoded(search.slice(endOfItsName + 1, end < 0 ? undefined : end));
}

function pairsWithout({ search }: URL, isRemoved: (name: string) => boolean): string[] {
  const pairs = search.slice(1).split('&', MAX_PARAMETERS);
  return pairs.filter((pair) => pair !== '' && !isRemoved(decoded(pair.split('=', 1)[0] ?? '')));
}

function write(pairs: readonly string[], url: URL): void {
  url.search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Decodes a name or a value. */
function decoded(text: string): string {
  return /[%+]/.test(text) ? (new URLSearchParams(`=${text}`).get('') ?? '') : text;
}
