import { setting } from '../../settings/setting.ts';
import { jsonChanges } from '../json-changes.ts';

/** Profile lists that have further pages, and the operations that request those pages. */
export const listQueries = {
  reels: 'ProfileCometAppCollectionReelsRendererPaginationQuery',
  photos: 'ProfileCometAppCollectionPhotosRendererPaginationQuery',
} as const;

/** A list of {@link listQueries}. */
export type ListName = keyof typeof listQueries;

/** Request details that change with Facebook. */
export interface Site {
  /** The browser that page requests identify as. */
  readonly userAgent: string;
  /**
   * Document IDs of the {@link listQueries} operations, newest first. If none works, they are looked up in the page's
   * scripts.
   */
  readonly documentIds: Readonly<Record<ListName, readonly string[]>>;
}

/**
 * The values last seen to work when signed out. Document IDs change every few weeks: those of reels were seen in
 * 2026-10 and 2026-09; that of photos was never recorded and is looked up.
 */
export const defaultSite: Site = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/142.0.0.0 Safari/537.36',
  documentIds: { reels: ['28838816002422324', '28401661769429506'], photos: [] },
};

const readChanges = jsonChanges<Pick<Site, 'userAgent'> & Site['documentIds']>(
  { userAgent: readUserAgent, reels: readDocumentIds, photos: readDocumentIds },
  (member) => `contains the unknown member ${member}; use only userAgent, reels and photos`,
);

/** The setting that overrides parts of {@link Site}. */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p3: {"userAgent":"Mozilla/5.0 …","reels":["2883…"],"photos":["2764…"]}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { userAgent = defaultSite.userAgent, ...documentIds } = readChanges(text);
    return { userAgent, documentIds: { ...defaultSite.documentIds, ...documentIds } };
  },
});

function readUserAgent(value: unknown): string {
  if (typeof value === 'string' && /^[\x20-\x7e]{1,500}$/.test(value)) return value;
  throw new Error('must have a userAgent of visible ASCII characters');
}

function readDocumentIds(value: unknown, member: string): string[] {
  const numbers = Array.isArray(value) ? value.map(String) : [];
  if (numbers.length > 0 && numbers.every((number) => /^\d{6,30}$/.test(number))) return numbers;
  throw new Error(`must have a list of document numbers as ${member}`);
}
