/** Dates in lists, which are only texts: "2 years ago", "Streamed 3 days ago", "Premieres 7/4/26, 8:00 PM". */
const dateWords = /\bago\b|^(?:Streamed|Premiere[sd]?|Scheduled|Published|Live in|Starts)\b/i;

/** Returns whether an English text states when something was or will be published. */
export function isDateText(text: string): boolean {
  return text.length < 100 && dateWords.test(text);
}

/** Returns whether an English text states when a playlist was last changed ("Updated yesterday"). */
export function isUpdateText(text: string): boolean {
  return text.length < 100 && /^(?:Updated|Last updated)\b/i.test(text);
}

/** Converts seconds since 1970 to ISO 8601. */
export function isoFromSeconds(value: unknown): string | undefined {
  const seconds = typeof value === 'string' && /^\d{1,11}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds < 1e11)) return undefined;
  return new Date(seconds * 1000).toISOString();
}

/** Returns true if an English date says that a text was changed ("2 years ago (edited)"), or else undefined. */
export function isEdited(publishedText: string | undefined): true | undefined {
  return publishedText?.endsWith('(edited)') || undefined;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns the day in an English text ("Joined Jan 28, 2015"), in ISO 8601. */
export function isoDay(text: string | undefined): string | undefined {
  const match = text === undefined || text.length > 100 ? null : /\b([A-Z][a-z]{2}) (\d{1,2}), (\d{4})\b/.exec(text);
  if (match === null) return undefined;
  const [, month = '', day = '', year = ''] = match;
  const number = months.indexOf(month) + 1;
  const time = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return Number.isNaN(Date.parse(time)) ? undefined : time;
}
