import { mask } from './mask.ts';
import { maskAddress, maskAddresses } from './mask-addresses.ts';
import {
  addressNames,
  isSecretName,
  opaqueParameters,
  secretElements,
  secretMembers,
  secretParameters,
  secretSegments,
} from './secret-names.ts';
import type { VisitValues } from './visit-values.ts';

/** Maximum length of the name of a parameter or a member. */
const MAX_NAME = 40;

/** Minimum length of the value of a member for it to be a secret if only a part of its name is known. */
const MIN_TOKEN = 16;

/**
 * Removes the secrets that have a known name from a text: links, JSON, HTML with JSON in it, forms and playlists, in any
 * usual escaping. The values are replaced by constants of the same length, except addresses. It takes linear time.
 *
 * @param visit Receives the values that identify the visit, which may occur elsewhere without a name.
 */
export function scrubText(text: string, visit: VisitValues): string {
  return maskAddresses(scrubMembers(scrubParameters(scrubLines(text)), visit));
}

/** Replaces the values of headers that stand in a text: `Cookie: a=…; b=…`, `"cookie":"a=…"`, `Bearer …`. */
function scrubLines(text: string): string {
  return text
    .replace(
      /(\bcookie(?:\\{0,7}")?: ?\[?(?:\\{0,7}")?)([\w-]{1,40}=[^\r\n"\\<>]+)/gi,
      (_, name: string, cookies: string) => name + cookies.replace(/=[^;]*/g, mask),
    )
    .replace(/(\bBearer )([\w.~+/=-]{16,})/g, (_, name: string, token: string) => name + mask(token));
}

/** Position of a secret in a text. */
interface Secret {
  readonly from: number;
  readonly to: number;
  readonly replace: (value: string) => string;
}

/** Replaces the secrets that a reader finds at the matches of a pattern, which has the flag g. */
function replaceSecrets(
  text: string,
  pattern: RegExp,
  secretAt: (from: number, to: number) => Secret | undefined,
): string {
  const parts: string[] = [];
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const secret = secretAt(match.index, pattern.lastIndex);
    if (secret === undefined) continue;
    parts.push(text.slice(done, secret.from), secret.replace(text.slice(secret.from, secret.to)));
    done = secret.to;
    pattern.lastIndex = Math.max(pattern.lastIndex, done);
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** Replaces the values of parameters (`sig=…`, `sig%3D…`), path segments (`/sig/…`) and `sec2(…)`. */
function scrubParameters(text: string): string {
  return replaceSecrets(text, /=|%(?:25){0,3}3[Dd]|\\u003[Dd]|\(|\\?\/|%2[Ff]/g, (from, to) => {
    const separator = text.slice(from, to);
    const { name, delimiter } = nameBefore(text, from);
    if (name === '') return undefined;
    if (separator === '(') {
      return /^sec\d?$/.test(name) ? { from: to, to: valueEnd(text, to, /[)"'\s\\<>]/g), replace: mask } : undefined;
    }
    if (separator.endsWith('/') || /^%2f$/i.test(separator)) {
      if (delimiter !== '/' || !(secretSegments.has(name) || addressNames.has(name))) return undefined;
      return { from: to, to: valueEnd(text, to, /[/\\"'\s<>?#&]|%2[Ff]/g), replace: maskOf(name) };
    }
    if (delimiter === ' ' && name === 'value') return formField(text, from, to);
    const opaque = opaqueParameters.get(name);
    if (delimiter !== '&' || !(opaque !== undefined || isSecretParameter(name))) return undefined;
    const end = valueEnd(text, to, parameterEnd(separator));
    return opaque?.test(text.slice(to, end)) === false ? undefined : { from: to, to: end, replace: maskOf(name) };
  });
}

/** Returns the value of `<input name="lsd" value="…">` as a secret. */
function formField(text: string, from: number, to: number): Secret | undefined {
  const before = text.slice(Math.max(0, from - 2 * MAX_NAME), from);
  const name = /name=\\?["'](\w+)\\?["'] value$/.exec(before)?.[1]?.toLowerCase();
  const quote = /^\\?["']/.exec(text.slice(to, to + 2))?.[0];
  if (name === undefined || quote === undefined || !(secretElements.has(name) || isSecretName(name))) return undefined;
  return { from: to + quote.length, to: valueEnd(text, to + quote.length, /["'\\\s<>]/g), replace: mask };
}

/** Replaces the values of members of JSON, which may be inside a string of JSON. */
function scrubMembers(text: string, visit: VisitValues): string {
  return replaceSecrets(text, /\\{0,7}" ?: ?/g, (from, to) => {
    const { name, delimiter } = nameBefore(text, from);
    const isElement = (name === 'value' || name === 'token') && followsSecretElement(text, from);
    const isNamed = delimiter === '&' && (secretMembers.has(name) || addressNames.has(name));
    // Lists continue at a `token`.
    const isToken = delimiter === '&' && !isNamed && name !== 'token' && isSecretName(name);
    if (!isElement && !isNamed && !isToken) return undefined;
    const opening = /^(?:\{\\{0,7}"value\\{0,7}" ?: ?)?\\{0,7}"/.exec(text.slice(to, to + MAX_NAME))?.[0];
    if (opening !== undefined) {
      const start = to + opening.length;
      const end = valueEnd(text, start, /["\s<>]/g);
      const value = text.slice(start, end).replace(/\\{1,7}$/, '');
      if ((isToken || name === 'mid') && !isLikelyToken(value)) return undefined;
      if (!addressNames.has(name)) visit.add(value);
      return { from: start, to: start + value.length, replace: maskOf(name) };
    }
    const number = /^\d{1,30}/.exec(text.slice(to, to + MAX_NAME))?.[0];
    return number === undefined || isToken || name === 'mid'
      ? undefined
      : { from: to, to: to + number.length, replace: mask };
  });
}

/** Whether the value of a member is a token, and no name, text, link or public ID of a Facebook post. */
function isLikelyToken(value: string): boolean {
  if (value.length < MIN_TOKEN || value.startsWith('pfbid') || value.includes('//')) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && /^[\w%+/\\=.:|~-]*$/.test(value);
}

/** Whether a member follows the name of a secret: `"key":"visitor_data","value"`, `["LSD",[],{"token"`, `"LSD":{"token"`. */
function followsSecretElement(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 2 * MAX_NAME), from);
  const name = /"(\w+)\\{0,7}"[,:] ?(?:\[\], ?)?\{?\\{0,7}"(?:value|token)$/.exec(before)?.[1];
  return name !== undefined && (secretElements.has(name.toLowerCase()) || isSecretName(name.toLowerCase()));
}

/**
 * Returns the name that ends at an index, in lower case, and its delimiter. The delimiter is `&` if a parameter or a
 * member can begin there, `/` in a path, and a space before an attribute of HTML.
 */
function nameBefore(text: string, end: number): { readonly name: string; readonly delimiter: '&' | '/' | ' ' | '' } {
  let start = end;
  while (end - start < MAX_NAME && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  const word = text.slice(start, end);
  const name = (skipped: number) => word.slice(skipped).toLowerCase();
  const previous = text[start - 1] ?? '';
  const encoded = /^(?:25){0,3}(?:26|3f|23|2f|22|5cu00(?:26|3f|22))/i.exec(word)?.[0];
  if (previous === '%' && encoded !== undefined) {
    return { name: name(encoded.length), delimiter: /2f$/i.test(encoded) ? '/' : '&' };
  }
  if (previous === '\\' && /^u00(?:26|3f|22)/i.test(word)) return { name: name(5), delimiter: '&' };
  if (previous === '\\' && /^u002f/i.test(word)) return { name: name(5), delimiter: '/' };
  if (previous === ';')
    return {
      name: name(0),
      delimiter: /(?:amp|quot|#38|#x26);$/i.test(text.slice(Math.max(0, start - 5), start)) ? '&' : '',
    };
  if (previous === '' || '?&#"\'~'.includes(previous)) return { name: name(0), delimiter: '&' };
  if (previous === '/') return { name: name(0), delimiter: '/' };
  return { name: name(0), delimiter: previous === ' ' ? ' ' : '' };
}

/** Whether a character is a letter, a digit, `_` or `-`. */
function isNameCharacter(code: number): boolean {
  return (
    (code > 96 && code < 123) || (code > 64 && code < 91) || (code > 47 && code < 58) || code === 95 || code === 45
  );
}

function isSecretParameter(name: string): boolean {
  return secretParameters.has(name) || addressNames.has(name) || name.startsWith('_nc_') || isSecretName(name);
}

function maskOf(name: string): (value: string) => string {
  return addressNames.has(name) ? maskAddress : mask;
}

/** Returns a pattern for the end of a value. A value in an encoded link ends at the next encoded `&`. */
function parameterEnd(separator: string): RegExp {
  if (separator.length === 3) return /[&"'\s\\<>;#]|%(?:26|5[Cc]|22)/g;
  if (separator.startsWith('%')) return /[&"'\s\\<>;#]|%(?:25){0,3}(?:26|5[Cc]|22)/g;
  return /[&"'\s\\<>;#]/g;
}

/** Returns the index of the first match of a pattern with the flag g, or the end of the text. */
function valueEnd(text: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}
