/** Bits that an id must seem to hold: 12 random hexadecimal digits. */
const ENOUGH_BITS = 48;
/** Characters of one kind in a row that count at most; words and numbers are longer. */
const LONGEST_RUN = 3;
/** Kinds of characters that a part must change between; `video42` and `720p` do so once. */
const FEWEST_RUNS = { short: 3, long: 4 };
const SHORT_PART = 6;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** `10h30m15s`, `2024w03d` */
const times = /(?:\d{1,4}[dhmswTZ]){2,}/g;

/**
 * Whether an id looks as if it could be guessed: a word, a counter, a date, a timestamp, a repetition, or some of these
 * together. An estimate from the id's form alone. It errs on the side of calling an id guessable; it cannot know that an
 * id is taken from elsewhere, such as that of a video.
 */
export function looksGuessable(id: string): boolean {
  const parts = id.replace(uuid, (whole) => whole.replaceAll('-', '')).split(/[._:-]/);
  return parts.reduce((sum, part) => sum + bitsOf(part), 0) < ENOUGH_BITS;
}

/** Random parts change between letters, capitals and digits all the time; words and numbers do not. */
function bitsOf(part: string): number {
  const isHex = /^(?:[\da-f]+|[\dA-F]+)$/.test(part);
  const rest = isHex ? part : part.replace(times, '');
  const runs = rest.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  if (runs.length < (rest.length <= SHORT_PART ? FEWEST_RUNS.short : FEWEST_RUNS.long)) return 0;
  const counted = isHex ? part.length : runs.reduce((sum, run) => sum + Math.min(LONGEST_RUN, run.length), 0);
  return Math.min(counted, differentPairs(rest)) * (isHex ? 4 : 5);
}

/** Few in what repeats itself. */
function differentPairs(text: string): number {
  return new Set(Array.from(text, (character, index) => character + (text[index + 1] ?? ''))).size;
}
