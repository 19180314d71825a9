import { isFields } from '../../parsing/values.ts';
import type { Walls } from './walls.ts';

/** Lists of a profile that go on in further pages, and the operation that brings these. */
export const listQueries = {
  reels: 'ProfileCometAppCollectionReelsRendererPaginationQuery',
  photos: 'ProfileCometAppCollectionPhotosRendererPaginationQuery',
} as const;

/** A list of {@link listQueries}. */
export type ListName = keyof typeof listQueries;

/** Everything about Facebook that changes with the site. */
export interface FacebookSite {
  /** The browser that pages are asked as. */
  readonly userAgent: string;
  /** Numbers of the operations of {@link listQueries}, the newest first; where none works, the page's scripts tell. */
  readonly documents: Readonly<Record<ListName, readonly string[]>>;
}

/** The site as one service asks it, with what that service has met there. */
export interface AskedSite extends FacebookSite {
  readonly walls: Walls;
}

/**
 * The site as it was last seen to work signed out. Documents change every few weeks: those of reels were seen in 2026-10
 * and 2026-09; that of photos was never recorded, and is looked up.
 */
export const defaultFacebookSite: FacebookSite = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/142.0.0.0 Safari/537.36',
  documents: { reels: ['28838816002422324', '28401661769429506'], photos: [] },
};

/**
 * The site with an operator's changes: JSON such as `{"userAgent":"…","reels":["123"],"photos":["456"]}`.
 *
 * @throws Error that says what cannot be used, for the list of wrong settings.
 */
export function readFacebookSite(text: string): FacebookSite {
  const changes = parse(text);
  let { userAgent } = defaultFacebookSite;
  const documents = { ...defaultFacebookSite.documents };
  for (const [name, change] of Object.entries(changes)) {
    if (name === 'userAgent') userAgent = readUserAgent(change);
    else if (name === 'reels' || name === 'photos') documents[name] = readDocuments(name, change);
    else throw new Error(`knows no ${name}; only userAgent, reels and photos`);
  }
  return { userAgent, documents };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  if (!isFields(value)) throw new Error('must be a JSON object');
  return value;
}

function readUserAgent(value: unknown): string {
  if (typeof value === 'string' && /^[\x20-\x7e]{1,500}$/.test(value)) return value;
  throw new Error('must have a text of visible ASCII characters as userAgent');
}

function readDocuments(name: string, value: unknown): string[] {
  const numbers = Array.isArray(value) ? value.map(String) : [];
  if (numbers.length > 0 && numbers.every((number) => /^\d{6,30}$/.test(number))) return numbers;
  throw new Error(`must have a list of document numbers as ${name}`);
}
