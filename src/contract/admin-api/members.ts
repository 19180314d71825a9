import Type from 'typebox';
import { invalidBody } from '../schema-faults.ts';

/**
 * Characters that a text of one line must not contain, in a character class: control characters, and lone surrogates,
 * which the database cannot store.
 */
const notInLine = '\\u0000-\\u001f\\u007f\\ud800-\\udfff';

/** The pattern of a text of one line. */
export const linePattern = `^[^${notInLine}]*$`;

/** A time in a response. */
export const time = (description: string) => Type.String({ format: 'date-time', description });

/** A time in a response, or null. */
export const optionalTime = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

/** A text in a response, or null. */
export const optionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** The cursor of the next page in a response. */
export const nextCursor = Type.Union([Type.String(), Type.Null()], { description: 'null on the last page.' });

/** A query parameter that selects the entries of a list with its value. */
export const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: linePattern, description }));

/** The reason that an administrator gives for a change: one line. */
export const reasonSchema = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: `^[^\\u0020${notInLine}][^${notInLine}]*$`,
  description: 'Why: one line that does not begin with a space. The audit log contains it.',
});

/** A time in a body, as {@link readTime} reads it. */
export const timeText = Type.String({ maxLength: 40 });

/**
 * Reads a time in a body.
 *
 * @param path The member of the body.
 * @throws MillraceError `invalid_body` unless the text is a time of RFC 3339.
 */
export function readTime(text: string, path: string): Date {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const time = new Date(text);
  // JavaScript reads February 30 as a day in March.
  const dayExists = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (dayExists && !Number.isNaN(time.getTime())) return time;
  throw invalidBody('body', [{ path, message: 'must be a time such as 2027-01-01T00:00:00Z' }]);
}

/**
 * Reads a time in a body, like {@link readTime}.
 *
 * @throws MillraceError `invalid_body` for a time that has passed.
 */
export function readFutureTime(text: string, path: string): Date {
  const time = readTime(text, path);
  if (time.getTime() > Date.now()) return time;
  throw invalidBody('body', [{ path, message: 'must be a time in the future' }]);
}
