/** Maximum length of a text with a count. */
const MAX_LENGTH = 200;

const units: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  lakh: 1e5,
  lakhs: 1e5,
  m: 1e6,
  million: 1e6,
  crore: 1e7,
  crores: 1e7,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
};

/**
 * Digits in English or Indian grouping, then a unit. A one-letter unit follows the digits directly; a word follows a
 * space.
 */
const shape = new RegExp(
  [
    String.raw`(?<![\d.,])(\d{1,3}(?:,\d{2,3}){0,3},\d{3}|\d{1,15})(\.\d{1,3})?`,
    String.raw`(?:(k|m|bn?|t)(?![\p{L}\p{N}])|\s(thousand|lakhs?|million|crores?|billion)\b)?`,
    String.raw`(?![\d,.]*\d)(?!\s?\p{L}+\.)`,
  ].join(''),
  'iu',
);

/**
 * Parses the number in a site's English text: "1.2K views", "4,961,170", "1.7bn", "12 lakh", "50+ videos", "No views".
 * Returns undefined if the text contains no number, or if it is written in another language's format ("1,3 Mio.
 * Aufrufe", "19.793"). Only a number with a unit can have a fraction, because a count is whole.
 */
export function parseCount(text: string | undefined): number | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined;
  const match = shape.exec(text);
  if (match === null) return /^no\s\p{L}+/iu.test(text) ? 0 : undefined;
  const [, whole = '', fraction = '', letter, word] = match;
  const unit = units[(letter ?? word ?? '').toLowerCase()] ?? 1;
  if (fraction !== '' && unit === 1) return undefined;
  const number = Math.round(Number(whole.replaceAll(',', '') + fraction) * unit);
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * Returns a count as members of a response: the parsed number under a name, and the original text under that name with
 * `Text` appended.
 */
export function countMembers<Name extends string>(name: Name, text: string | undefined): CountMembers<Name> {
  if (text === undefined) return {};
  const number = parseCount(text);
  const members = number === undefined ? { [`${name}Text`]: text } : { [name]: number, [`${name}Text`]: text };
  // The two member names are derived from the same name as the type.
  return members as CountMembers<Name>;
}

/** Two optional members: `viewCount` as a number and `viewCountText` as given. */
export type CountMembers<Name extends string> = { readonly [N in Name]?: number } & {
  readonly [N in `${Name}Text`]?: string;
};

/** Parses a duration such as "9:43" or "1:55:11". Returns seconds. */
export function parseDuration(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,4}(?::[0-5]?\d){1,2}$/.test(text)) return undefined;
  return text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
