/**
 * Characters that can move the cursor, or colour, hide or reverse text: control and format characters, line and
 * paragraph separators, lone surrogates (Unicode TR 36 §2.5). The two joiners are harmless, and some scripts and emoji
 * need them.
 */
const unsafeCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes text of a site, a service or a caller safe for a terminal. Keeps newlines and tabs. */
export function sanitiseText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(unsafeCharacters, (match) => (match === '\n' || match === '\t' ? match : ' '));
}

/** Makes text safe as {@link sanitiseText} does, and joins its lines. */
export function sanitiseLine(text: string): string {
  return sanitiseText(text).replace(/\s+/g, ' ').trim();
}

/** Serialises a value as JSON that is safe for a terminal. It parses to the same value. */
export function sanitiseJson(value: unknown, indent?: number): string {
  const escapeCodeUnit = (match: string) =>
    match === '\n' ? match : `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (match) =>
    Array.from({ length: match.length }, (_, at) => escapeCodeUnit(match.charAt(at))).join(''),
  );
}
