import { trimTrailing } from '../contract/trim-trailing.ts';
import { truncateToBytes } from './graphemes.ts';

/** Names that Windows reserves for devices, with any extension. */
const deviceNames = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\..*)?$/i;

/**
 * Scripts whose words need joiners and non-joiners (Unicode 17, §23.2). In other scripts, these are only invisible.
 */
const joined =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mand}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Phag}' +
  '\\p{scx=Thaa}\\p{scx=Adlm}\\p{scx=Rohg}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}' +
  '\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}' +
  '\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}\\p{scx=Java}\\p{scx=Bali}';

/**
 * Invisible characters that are part of what people read: joiners within words of some scripts and within emoji, and the
 * letters of the flags of regions (UTS 51, annex C). So are signs that span the digits after them. Everything else that
 * {@link unwanted} matches is removed.
 */
const wanted =
  `(?<=[${joined}])[\\u200c\\u200d]+(?=[${joined}])` +
  '|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})' +
  '|[\\u0600-\\u0605\\u06dd\\u070f\\u08e2\\u{110bd}\\u{110cd}]' +
  '|(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{1,6}\\u{e007f}';

/**
 * Control characters, line separators, marks that reverse or hide text (Unicode TR 36 §2.5), and codes that will never
 * be characters. Codes that are unassigned today may be characters of a newer Unicode.
 */
const unwanted = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}]';

const wantedOrUnwanted = new RegExp(`(${wanted})|${unwanted}`, 'gu');

/** Maximum number of characters that are read. Names of files have 255 bytes, and normalizing marks is quadratic. */
const MAX_LENGTH = 1_000;

/**
 * Makes a name, without its extension, safe for every file system and for people: no folders, control characters or
 * marks that reverse text. Returns an empty name if no characters remain.
 *
 * @param suffix The extension that will follow, with its dot; may be empty. It is removed from the name.
 * @param maxBytes Maximum bytes of the name in UTF-8, extension included.
 */
export function safeName(name: string, suffix: string, maxBytes: number): string {
  const words = name
    .slice(0, MAX_LENGTH)
    .normalize('NFC')
    .replace(wantedOrUnwanted, '$1')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/\s+/g, ' ');
  const safe = trimTrailing(words.replace(/^[. ]+/, ''), '. ');
  const stem = safe.toLowerCase().endsWith(suffix) ? safe.slice(0, safe.length - suffix.length) : safe;
  const start = truncateToBytes(deviceNames.test(stem) ? `_${stem}` : stem, maxBytes - suffix.length);
  // A character that was cut may now end with a joiner.
  return trimTrailing(start.replace(wantedOrUnwanted, '$1').trim(), '. ');
}
