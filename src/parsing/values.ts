import { parseUrl } from '../contract/parse-url.ts';

/** An object with unknown members. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses JSON; returns undefined if it is invalid. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // A body that is not JSON is a valid response (for example, a challenge page); the caller interprets it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a value is an object and not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value if it is an object, or else an empty object. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns a value if it is an array, or else an empty array. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a value if it is a non-empty string. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Returns a non-negative number, including one written as text. */
export function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Returns a value if it is a boolean. */
export function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns an http or https URL without its fragment (`#cell=cf` is for the player's routing and is never sent). */
export function httpUrl(value: unknown): string | undefined {
  const url = typeof value === 'string' ? parseUrl(value) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  url.hash = '';
  return url.href;
}

/** Returns the value at a path of member names and array indexes; undefined if the path does not exist. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = (inner as Readonly<Record<string | number, unknown>>)[step];
  }
  return inner;
}

/** Returns the members of an object that are not undefined. */
export function defined<T extends object>(members: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) result[name] = value;
  // The type describes exactly this: the members that are not undefined.
  return result as Defined<T>;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns a list, or undefined if it is empty. */
export function unlessEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/**
 * Converts seconds since 1970 to an ISO 8601 string; returns undefined if there is no value or it is not a valid date.
 */
export function isoTime(seconds: number | undefined): string | undefined {
  const time = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
