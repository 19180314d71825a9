import { sanitiseText } from '../../parsing/sanitise-text.ts';

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
