import { trimTrailing } from '../contract/trim-trailing.ts';

/** Names that Windows reserves for devices, with any extension. */
const deviceNames = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/**
 * Makes a name, without its extension, safe for every file system and for people: no folders, control characters or
 * marks that reverse text. Returns an empty name if no characters remain.
 *
 * @param suffix The extension that will follow, with its dot; may be empty. It is removed from the name.
 * @param maxBytes Maximum bytes of the name in UTF-8, extension included.
 */
export function safeName(name: string, suffix: string, maxBytes: number): string {
  const words = name
    .normalize('NFC')
    // Control characters, line separators, and marks that reverse or hide text (Unicode TR 36 §2.5).
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/\s+/g, ' ');
  const safe = trimTrailing(words.replace(/^[. ]+/, ''), '. ');
  const stem = safe.toLowerCase().endsWith(suffix) ? safe.slice(0, safe.length - suffix.length) : safe;
  return shorten(deviceNames.test(stem) ? `_${stem}` : stem, maxBytes - suffix.length);
}

/** Truncates text between characters, not within one. */
function shorten(text: string, maxBytes: number): string {
  let bytes = 0;
  let start = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    start += character;
  }
  return start.trim();
}
