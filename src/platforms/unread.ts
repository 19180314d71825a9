import { MillraceError } from '../contract/errors.ts';
import { fields, text } from '../parsing/values.ts';

/** Maximum number of distinct kinds that are counted in one response. */
const MAX_KINDS = 50;

/** Maximum length of the name of a kind, longer than any of the sites'. */
const MAX_NAME = 80;

/**
 * Entries of a response that no parser recognised: their number by kind. A kind is the site's own name of the element,
 * such as `lockupViewModel` or `XIGPolarisStoryMedia`.
 */
export type UnreadKinds = Readonly<Record<string, number>>;

/** The error for a response of which nothing could be read, because the site has changed its shape. */
export class UnreadResponseError extends MillraceError {
  readonly unread: UnreadKinds;

  /** @param unread The kinds that were found in place of known ones; at least one. */
  constructor(message: string, unread: UnreadKinds) {
    super('invalid_response_data', message);
    this.unread = unread;
  }
}

/** Counts entries that no parser recognised. */
export interface UnreadCounter {
  /** Counts entries of a kind, one by default, or nothing for undefined. */
  add(kind: string | undefined, number?: number): void;
  /** Counts the entries of a part of the response. */
  addAll(part: UnreadKinds | undefined): void;
  /** Returns the number of entries by kind. */
  kinds(): UnreadKinds;
}

/** Creates a counter without entries. It shortens long names, and counts no more than 50 kinds. */
export function createUnreadCounter(): UnreadCounter {
  // A kind is a text of the site, and can be `constructor`.
  const numbers = new Map<string, number>();
  const add = (kind: string | undefined, number = 1) => {
    if (kind === undefined || number === 0) return;
    const name = kind.slice(0, MAX_NAME).toWellFormed();
    const existing = numbers.get(name);
    if (existing !== undefined || numbers.size < MAX_KINDS) numbers.set(name, (existing ?? 0) + number);
  };
  return {
    add,
    addAll(part = {}) {
      for (const [kind, number] of Object.entries(part)) add(kind, number);
    },
    kinds: () => Object.fromEntries(numbers),
  };
}

/** Counts entries by their kinds. */
export function countKinds(kinds: Iterable<string>): UnreadKinds {
  const counter = createUnreadCounter();
  for (const kind of kinds) counter.add(kind);
  return counter.kinds();
}

/**
 * Returns the error for a response whose requested part has an unknown format.
 *
 * @param found The site and the part, for the message: "YouTube returned the comments".
 * @param unread As for {@link UnreadResponseError}.
 */
export function unreadResponse(found: string, unread: UnreadKinds): UnreadResponseError {
  return new UnreadResponseError(
    `${found} in a format that cannot be read. The site may have changed; try again later.`,
    unread,
  );
}

/** Adds up the unread entries of several parts of a response. */
export function addUnread(...parts: readonly (UnreadKinds | undefined)[]): UnreadKinds {
  const counter = createUnreadCounter();
  for (const part of parts) counter.addAll(part);
  return counter.kinds();
}

/** Adds up the unread entries of responses that led to errors. They show a change even if another response is read. */
export function unreadIn(errors: readonly unknown[]): UnreadKinds {
  return addUnread(...errors.map((error) => (error instanceof UnreadResponseError ? error.unread : undefined)));
}

/** Returns the site's own name of the kind of an object, its `__typename`, or else the fallback. */
export function kindOf(value: unknown, fallback: string): string {
  const name = text(fields(value).__typename);
  return name !== undefined && /^\w{1,80}$/.test(name) ? name : fallback;
}
