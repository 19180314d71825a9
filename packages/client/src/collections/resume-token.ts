/** Where an iteration over a collection stands, after the last delivered entry. */
export interface Position {
  /** Index of the list that contains the entry. A collection can consist of several lists. */
  readonly list: number;
  /** Token of the page that contains the entry. Undefined for the first page. */
  readonly pageToken?: string | undefined;
  /** Number of delivered entries of the list. */
  readonly offset: number;
  /** Number of delivered entries of the collection. */
  readonly index: number;
  /** ID of the entry. */
  readonly id?: string | undefined;
}

/** The position before the first entry. */
export const startPosition: Position = { list: 0, offset: 0, index: 0 };

/** Maximum number of characters of a token: several times the longest page token and link together. */
const MAX_CHARACTERS = 16_384;
const MAX_LISTS = 10;
const MAX_ENTRIES = 1_000_000;

/** Returns the token of a position in the collection that this text identifies: base64url of JSON. */
export function writeResumeToken(collection: string, { list, pageToken, offset, index, id }: Position): string {
  return toBase64Url(JSON.stringify([collection, list, offset, index, id ?? null, pageToken ?? null]));
}

/** Returns the position in a token. Returns undefined if the token is damaged, or belongs to another collection. */
export function readResumeToken(collection: string, token: string): Position | undefined {
  const members = parse(token);
  if (!Array.isArray(members) || members.length !== 6) return undefined;
  const [owner, list, offset, index, id, pageToken] = members as readonly unknown[];
  if (owner !== collection || !isCount(list, MAX_LISTS) || !isCount(offset, MAX_ENTRIES)) return undefined;
  if (!isCount(index, MAX_ENTRIES) || offset > index || !isTextOrNull(id) || !isTextOrNull(pageToken)) return undefined;
  return { list, offset, index, id: id ?? undefined, pageToken: pageToken ?? undefined };
}

function parse(token: string): unknown {
  if (token.length > MAX_CHARACTERS || !/^[\w-]+$/.test(token)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Damaged base64, text or JSON reads as undefined.
    return undefined;
  }
}

function toBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function isCount(value: unknown, maximum: number): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maximum;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
