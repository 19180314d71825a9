import { setting } from '../../settings/setting.ts';
import { desktopBrowser } from '../browsers.ts';
import { headerText, jsonChanges, listOf, textLike } from '../json-changes.ts';
import { type Headers, headerChanges } from '../request-headers.ts';

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
  /** Headers to add to page requests. */
  readonly headers: Headers;
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
  userAgent: desktopBrowser,
  headers: {},
  documentIds: { reels: ['28838816002422324', '28401661769429506'], photos: [] },
};

const documentIds = listOf(textLike(/^\d{6,30}$/, '6 to 30 digits'), 10);

const readChanges = jsonChanges<Omit<Site, 'documentIds'> & Site['documentIds']>({
  userAgent: headerText,
  headers: headerChanges,
  reels: documentIds,
  photos: documentIds,
});

/** The setting that overrides parts of {@link Site}. */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p3: {"userAgent":"Mozilla/5.0 …","reels":["2883…"],"photos":["2764…"]}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { userAgent = defaultSite.userAgent, headers = defaultSite.headers, ...documentIds } = readChanges(text);
    return { userAgent, headers, documentIds: { ...defaultSite.documentIds, ...documentIds } };
  },
});
