/** Estimated bits that an id must have: those of 12 random hexadecimal digits. */
const MIN_BITS = 48;
/** Maximum number of characters of one kind in a row that count; words and numbers have more. */
const MAX_RUN_LENGTH = 3;
/** Changes between kinds of characters that a part must have; `video42` and `720p` have one. */
const MIN_RUNS = { short: 3, long: 4 };
const SHORT_PART = 6;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** `10h30m15s`, `2024w03d` */
const times = /(?:\d{1,4}[dhmswTZ]){2,}/g;

/**
 * Whether an id looks easy to guess: a word, a counter, a date, a timestamp, a repetition, or a combination of these. An
 * estimate from the format of the id. If in doubt, it calls an id guessable. It cannot detect an id that is copied from
 * elsewhere, such as a video id.
 */
export function looksGuessable(id: string): boolean {
  const parts = id.replace(uuid, (whole) => whole.replaceAll('-', '')).split(/[._:-]/);
  return parts.reduce((sum, part) => sum + bitsOf(part), 0) < MIN_BITS;
}

/** Random parts change often between lower case, capitals and digits; words and numbers do not. */
function bitsOf(part: string): number {
  const isHex = /^(?:[\da-f]+|[\dA-F]+)$/.test(part);
  const text = isHex ? part : part.replace(times, '');
  const runs = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  if (runs.length < (text.length <= SHORT_PART ? MIN_RUNS.short : MIN_RUNS.long)) return 0;
  const randomLength = isHex ? part.length : runs.reduce((sum, run) => sum + Math.min(MAX_RUN_LENGTH, run.length), 0);
  return Math.min(randomLength, differentPairs(text)) * (isHex ? 4 : 5);
}

/** Repetitive text has few. */
function differentPairs(text: string): number {
  return new Set(Array.from(text, (character, index) => character + (text[index + 1] ?? ''))).size;
}
