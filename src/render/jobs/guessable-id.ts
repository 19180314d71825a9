/** Minimum estimated bits of an ID: those of 12 random hexadecimal digits. */
const MIN_BITS = 48;
/** Maximum number of consecutive characters of one kind that are counted. Words and numbers have longer sequences. */
const MAX_RUN_LENGTH = 3;
/** Minimum number of changes between kinds of characters in a part; `video42` and `720p` have one. */
const MIN_RUNS = { short: 3, long: 4 };
const SHORT_PART = 6;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** `10h30m15s`, `2024w03d` */
const times = /(?:\d{1,4}[dhmswTZ]){2,}/g;

/**
 * Whether an ID looks easy to guess: a word, a counter, a date, a timestamp, a repetition, or a combination of these.
 * This is an estimate from the format of the ID, and returns true if in doubt. It cannot detect an ID that is copied
 * from elsewhere, such as a video ID.
 */
export function looksGuessable(id: string): boolean {
  const parts = id.replace(uuid, (whole) => whole.replaceAll('-', '')).split(/[._:-]/);
  return parts.reduce((sum, part) => sum + bitsOf(part), 0) < MIN_BITS;
}

/**
 * Estimates the bits of a part. Random parts change often between lower case, capitals and digits; words and numbers do
 * not.
 */
function bitsOf(part: string): number {
  const isHex = /^(?:[\da-f]+|[\dA-F]+)$/.test(part);
  const text = isHex ? part : part.replace(times, '');
  const runs = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  if (runs.length < (text.length <= SHORT_PART ? MIN_RUNS.short : MIN_RUNS.long)) return 0;
  const randomLength = isHex ? part.length : runs.reduce((sum, run) => sum + Math.min(MAX_RUN_LENGTH, run.length), 0);
  return Math.min(randomLength, differentPairs(text)) * (isHex ? 4 : 5);
}

/** Counts the different pairs of characters; repetitive text has few. */
function differentPairs(text: string): number {
  return new Set(Array.from(text, (character, index) => character + (text[index + 1] ?? ''))).size;
}
