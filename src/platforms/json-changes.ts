import { isFields } from '../parsing/values.ts';

/**
 * Reads the value of one member.
 *
 * @throws Error with a message that continues the setting's name: "has an invalid userAgent".
 */
type MemberReader<Value> = (value: unknown, member: string) => Value;

/** A reader for each member that an operator may change. */
type MemberReaders<Changes> = { readonly [Member in keyof Changes]-?: MemberReader<Changes[Member]> };

/**
 * Creates the reader of a setting that overrides members of a site with a JSON object such as `{"userAgent":"…"}`. The
 * reader returns the members in the text.
 *
 * @param unknownMember Returns the message for a member without a reader.
 */
export function jsonChanges<Changes extends object>(
  readers: MemberReaders<Changes>,
  unknownMember: (member: string) => string = (member) => `contains the unknown member ${member}`,
): (text: string) => Partial<Changes> {
  return (text) => {
    const changes: Partial<Changes> = {};
    for (const [member, value] of Object.entries(parseObject(text))) {
      if (!isMember(readers, member)) throw new Error(unknownMember(member));
      changes[member] = readers[member](value, member);
    }
    return changes;
  };
}

/** Creates the reader of a text member that must match a pattern. */
export function textLike(pattern: RegExp): MemberReader<string> {
  return (value, member) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new Error(`has an invalid ${member}`);
    return value;
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  if (!isFields(value)) throw new Error('must be a JSON object');
  return value;
}

function isMember<Changes>(readers: MemberReaders<Changes>, member: string): member is string & keyof Changes {
  return Object.hasOwn(readers, member);
}
