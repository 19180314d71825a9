import { parseUrl } from '../contract/parse-url.ts';
import { isFields } from '../parsing/values.ts';

/**
 * Reads the value of one member.
 *
 * @param member Its path in the setting, such as `WEB.version`.
 * @throws Error with a message that continues the setting's name: "has an invalid userAgent".
 */
export type MemberReader<Value> = (value: unknown, member: string) => Value;

/** A reader for each member that an operator may change. */
type MemberReaders<Changes> = { readonly [Member in keyof Changes]-?: MemberReader<Changes[Member]> };

/**
 * Creates the reader of a setting that overrides members of a site with a JSON object such as `{"userAgent":"…"}`. The
 * reader returns the members in the text.
 */
export function jsonChanges<Changes extends object>(
  readers: MemberReaders<Changes>,
): (text: string) => Partial<Changes> {
  const read = membersOf(readers);
  return (text) => read(parseJsonObject(text), '');
}

/** Creates the reader of an object of which every member is optional. */
export function membersOf<Changes extends object>(readers: MemberReaders<Changes>): MemberReader<Partial<Changes>> {
  return (value, path) => {
    const changes: Partial<Changes> = {};
    for (const [name, one] of Object.entries(objectIn(value, path))) {
      const member = memberPath(path, name);
      if (!isMember(readers, name)) {
        throw new Error(`contains the unknown member ${member}; use only ${Object.keys(readers).join(', ')}`);
      }
      changes[name] = readers[name](one, member);
    }
    return changes;
  };
}

/** Creates the reader of an object with up to 40 members, whose names match a pattern. */
export function recordOf<Value>(
  pattern: RegExp,
  read: MemberReader<Value>,
): MemberReader<Readonly<Record<string, Value>>> {
  return (value, path) => {
    const entries = Object.entries(objectIn(value, path));
    if (entries.length > 40) throw new Error(`has more than 40 members${path === '' ? '' : ` in ${path}`}`);
    return Object.fromEntries(
      entries.map(([name, one]) => {
        const member = memberPath(path, name);
        if (!pattern.test(name)) throw new Error(`contains the unknown member ${member}`);
        return [name, read(one, member)];
      }),
    );
  };
}

/** Creates the reader of a list without duplicates. */
export function listOf<Value>(read: MemberReader<Value>, max: number, min = 1): MemberReader<readonly Value[]> {
  return (value, member) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      throw new Error(`must have a list of ${min} to ${max} entries as ${member}`);
    }
    const entries = value.map((one) => read(one, member));
    if (new Set(entries).size < entries.length) throw new Error(`has a duplicate in ${member}`);
    return entries;
  };
}

/** Creates the reader of one of several texts. */
export function oneOf<Value extends string>(values: readonly Value[]): MemberReader<Value> {
  return (value, member) => {
    const match = values.find((one) => one === value);
    if (match === undefined) throw new Error(`has an invalid ${member}: use ${values.join(', ')}`);
    return match;
  };
}

/** Creates the reader of a text that must match a pattern. */
export function textLike(pattern: RegExp, description: string): MemberReader<string> {
  return (value, member) => {
    if (typeof value !== 'string' || !pattern.test(value)) {
      throw new Error(`has an invalid ${member}: it must be ${description}`);
    }
    return value;
  };
}

/** Reads a text that can be the value of a header. */
export const headerText = textLike(/^[\x20-\x7e]{1,500}$/, '1 to 500 visible ASCII characters');

/** Reads `true` or `false`. */
export const truthValue: MemberReader<boolean> = (value, member) => {
  if (typeof value !== 'boolean') throw new Error(`has an invalid ${member}: it must be true or false`);
  return value;
};

/** Reads the origin of an HTTPS address. */
export const httpsOrigin: MemberReader<string> = (value, member) => {
  const url = typeof value === 'string' ? parseUrl(value) : null;
  if (url?.protocol === 'https:' && url.origin === value) return value;
  throw new Error(`must have an HTTPS origin such as https://www.example.com as ${member}`);
};

/** Parses a setting that is a JSON object. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  return objectIn(value, '');
}

function objectIn(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (isFields(value)) return value;
  throw new Error(path === '' ? 'must be a JSON object' : `must have an object as ${path}`);
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isMember<Changes>(readers: MemberReaders<Changes>, name: string): name is string & keyof Changes {
  return Object.hasOwn(readers, name);
}
