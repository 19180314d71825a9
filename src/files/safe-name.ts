import { trimTrailing } from '../contract/trim-trailing.ts';

/** Names that Windows keeps for devices, whatever their extension. */
const deviceNames = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/**
 * A name, without its extension, made safe for every file system and for people's eyes: no folders, no control
 * characters, no marks that turn text around. Empty where nothing of it is left.
 *
 * @param suffix The extension that will follow, with its dot; it is not told twice.
 * @param maxBytes Most bytes of UTF-8 that the name has, its extension included.
 */
export function safeName(wanted: string, suffix: string, maxBytes: number): string {
  const words = wanted
    .normalize('NFC')
    // Controls, line separators, and marks that reverse or hide what follows (Unicode TR 36 §2.5).
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/\s+/g, ' ');
  const safe = trimTrailing(words.replace(/^[. ]+/, ''), '. ');
  const stem = safe.toLowerCase().endsWith(suffix) ? safe.slice(0, -suffix.length) : safe;
  return shorten(deviceNames.test(stem) ? `_${stem}` : stem, maxBytes - suffix.length);
}

/** Cuts between characters, not within one. */
function shorten(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept.trim();
}
