import Type from 'typebox';
import { nextTokenParameter } from '../../../contract/parameters.ts';
import type { Endpoint } from '../../platform.ts';
import { addUnread } from '../../unread.ts';
import { createDocumentIds, type DocumentIds } from '../find/document-ids.ts';
import { fetchPages, type Lookup, type ParsedPage, type SiteAccess, type Strategies } from '../find/fetch-page.ts';
import { readPlace, requestListPage } from '../find/list-page.ts';
import {
  openProfile,
  type ProfileLink,
  tabStrategies,
  tabStrategyNames,
  tabs,
  tabUrl,
  withoutContent,
} from '../find/profile.ts';
import { readProfileIds, subjectsOfProfile } from '../parse/profile.ts';
import { type ListPage, readPhotos, readReels, readVideos } from '../parse/profile-lists.ts';
import type { Records } from '../parse/records.ts';
import { unreadError, unreadPage } from '../parse/unread-content.ts';
import { type ListName, listQueries } from '../site.ts';
import { profileEndpoint } from './profile-endpoint.ts';

type ReadList = (records: Records) => ListPage | undefined;

const readers: Readonly<Record<ListName, readonly ReadList[]>> = {
  photos: [readPhotos],
  reels: [readReels, readVideos],
};

const CUT = 'Facebook shows signed-out visitors only the newest videos of this profile.';

const summaries: Readonly<Record<ListName, string>> = {
  photos: 'Photos of a profile or page, newest first',
  reels: 'Reels of a profile or page, newest first',
};

/** Tabs that have the list, the first of which has all its pages. */
const listTabs = { photos: [tabs.photos], reels: [tabs.reels, tabs.videos] } as const;

/** Creates the endpoint for a profile's photos or reels, one page at a time. */
export function profileList(list: ListName, access: SiteAccess): Endpoint {
  const documentIds = createDocumentIds(access.site);
  return profileEndpoint(
    {
      path: `/profile/${list}`,
      summary: summaries[list],
      returns: [`author.${list}.contents`, `author.${list}.nextToken`],
      strategies: listTabs[list].flatMap(tabStrategyNames),
      more: { nextToken: Type.Optional(nextTokenParameter) },
      async extract(link, lookup) {
        const { pages } = lookup.context;
        const { ids, handle, source, page, unread } =
          pages.cursor === undefined
            ? await fetchFirstPage(list, link, lookup)
            : await fetchFurtherPage(list, link, pages.cursor, documentIds, lookup);
        const { entries, next, isCut = false } = page;
        const contents = entries.map(({ item }) => item);
        const subjects = subjectsOfProfile(ids, handle);
        const nextToken = pages.token(next === undefined ? undefined : JSON.stringify(next), subjects);
        return {
          metadata: { author: { ...ids, [list]: { contents, nextToken } }, additionalData: { source } },
          subjects,
          parts: entries.map((entry, index) => ({
            path: ['author', list, 'contents', index],
            subjects: entry.subjects,
          })),
          unread: addUnread(unread, page.unread),
          ...(isCut ? { notes: [CUT] } : {}),
        };
      },
    },
    access,
  );
}

/** Fetches the first page of a list from the first tab that has it. */
async function fetchFirstPage(list: ListName, link: ProfileLink, lookup: Lookup) {
  const [first, ...others] = listTabs[list];
  const strategies: Strategies = [...tabStrategies(link, first), ...others.flatMap((tab) => tabStrategies(link, tab))];
  const read = (parsed: ParsedPage) => {
    const ids = readProfileIds(parsed.page, parsed.records);
    const page = ids === undefined ? undefined : readFirstPage(list, parsed);
    return ids === undefined || page === undefined ? undefined : { ids, handle: parsed.page.route?.vanity, page };
  };
  const { value, source, unread } = await fetchPages(strategies, read, lookup);
  return { ...value, source, unread };
}

/**
 * Reads a list from one of its tabs. An empty Videos tab does not prove that there are no reels.
 *
 * @throws MillraceError as {@link withoutContent} does.
 */
function readFirstPage(list: ListName, { page, records }: ParsedPage): ListPage | undefined {
  const found = readers[list].map((read) => read(records)).find((each) => each !== undefined);
  if (found !== undefined && (found.entries.length > 0 || found.isFallback !== true)) return found;
  return withoutContent(page, list, found === undefined ? unreadPage(page) : undefined);
}

async function fetchFurtherPage(
  list: ListName,
  link: ProfileLink,
  cursor: string,
  documentIds: DocumentIds,
  lookup: Lookup,
) {
  const [tab] = listTabs[list];
  const place = readPlace(cursor);
  const profile = await openProfile(link, tab, lookup);
  const records = await requestListPage(
    { list, place, tab: { ...profile, url: tabUrl(link, tab) } },
    documentIds,
    lookup,
  );
  const page = readers[list].map((read) => read(records)).find((each) => each !== undefined);
  if (page === undefined) throw unreadError({ [listQueries[list]]: 1 });
  return {
    ids: profile.value,
    handle: profile.page.route?.vanity,
    source: 'graphql',
    page,
    unread: profile.unread,
  };
}
