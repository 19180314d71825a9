import { setting } from '../../settings/setting.ts';
import { jsonChanges } from '../json-changes.ts';

/** Lists of a profile that go on in further pages, and the operation that brings these. */
export const listQueries = {
  reels: 'ProfileCometAppCollectionReelsRendererPaginationQuery',
  photos: 'ProfileCometAppCollectionPhotosRendererPaginationQuery',
} as const;

/** A list of {@link listQueries}. */
export type ListName = keyof typeof listQueries;

/** Everything about the requests that changes with Facebook. */
export interface Site {
  /** The browser that pages are requested as. */
  readonly userAgent: string;
  /** Numbers of the operations of {@link listQueries}, the newest first; where none works, the page's scripts have them. */
  readonly documentIds: Readonly<Record<ListName, readonly string[]>>;
}

/**
 * The site as it was last seen to work signed out. Documents change every few weeks: those of reels were seen in 2026-10
 * and 2026-09; that of photos was never recorded, and is looked up.
 */
export const defaultSite: Site = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/142.0.0.0 Safari/537.36',
  documentIds: { reels: ['28838816002422324', '28401661769429506'], photos: [] },
};

const readChanges = jsonChanges<Pick<Site, 'userAgent'> & Site['documentIds']>(
  { userAgent: readUserAgent, reels: readDocumentIds, photos: readDocumentIds },
  (member) => `knows no ${member}; only userAgent, reels and photos`,
);

/** The setting that changes members of the site. */
export const siteSetting = setting({
  description: 'JSON that changes how p3 is asked: {"userAgent":"Mozilla/5.0 …","reels":["2883…"],"photos":["2764…"]}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { userAgent = defaultSite.userAgent, ...documentIds } = readChanges(text);
    return { userAgent, documentIds: { ...defaultSite.documentIds, ...documentIds } };
  },
});

function readUserAgent(value: unknown): string {
  if (typeof value === 'string' && /^[\x20-\x7e]{1,500}$/.test(value)) return value;
  throw new Error('must have a text of visible ASCII characters as userAgent');
}

function readDocumentIds(value: unknown, member: string): string[] {
  const numbers = Array.isArray(value) ? value.map(String) : [];
  if (numbers.length > 0 && numbers.every((number) => /^\d{6,30}$/.test(number))) return numbers;
  throw new Error(`must have a list of document numbers as ${member}`);
}
