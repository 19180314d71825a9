/**
 * What can move a cursor, colour, hide or turn around what stands beside it: controls, marks of direction and format,
 * line and paragraph separators, halves of characters (Unicode TR 36 §2.5). The two joiners stay: scripts and emoji are
 * written with them, and they do nothing else.
 */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of a site, a service or a caller, as a terminal can be trusted with it; lines and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(invisible, (found) => (found === '\n' || found === '\t' ? found : ' '));
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** A value as JSON that a terminal can be trusted with: it says the same to whoever parses it. */
export function visibleJson(value: unknown, indent?: number): string {
  const escaped = (found: string) =>
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from({ length: found.length }, (_, at) => escaped(found.charAt(at))).join(''),
  );
}
