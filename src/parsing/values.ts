/** An object whose members are not known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses a JSON text; undefined where it is not JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // A body that is not JSON is a response like any other (a challenge page, say); the caller judges it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a value is an object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; none where the value is no object. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The items of a list; none where the value is no list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text with something in it. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A number that is not negative, also where it is written as text. */
export function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** A truth value. */
export function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A link that can be fetched, without its fragment (`#cell=cf` routes inside the player and is never sent). */
export function httpUrl(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  url.hash = '';
  return url.href;
}

/** What lies at a path of member names and list places; undefined where the path breaks off. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = (inner as Readonly<Record<string | number, unknown>>)[step];
  }
  return inner;
}

/** The members of an object that have a value. */
export function defined<T extends object>(members: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) result[name] = value;
  // Leaving out the undefined members is what the type says.
  return result as Defined<T>;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A list, or undefined where it is empty. */
export function unlessEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** A number of seconds since 1970 as a text of ISO 8601; undefined where there is none, or none that is a date. */
export function isoTime(seconds: number | undefined): string | undefined {
  const time = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
