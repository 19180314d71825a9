/**
 * Characters that can move a cursor, or colour, hide or reverse text: control and format characters, line and paragraph
 * separators, lone surrogates (Unicode TR 36 §2.5). The two joiners are harmless, and some scripts and emoji need them.
 */
const unsafeCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes text of a site, a service or a caller safe to display. Keeps newlines and tabs. */
export function sanitiseText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(unsafeCharacters, (match) => (match === '\n' || match === '\t' ? match : ' '));
}
