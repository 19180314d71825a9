import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { nextTokenParameter } from '../../../contract/parameters.ts';
import type { Endpoint } from '../../platform.ts';
import { createDocumentIds, type DocumentIds } from '../find/document-ids.ts';
import type { Lookup, SiteAccess } from '../find/fetch-page.ts';
import { readPlace, requestListPage } from '../find/list-page.ts';
import { membersOnly, type OpenedProfile, openProfile, type ProfileLink, tabs, tabUrl } from '../find/profile.ts';
import { type ListPage, readPhotos, readReels, readVideos } from '../parse/profile-lists.ts';
import type { Records } from '../parse/records.ts';
import type { ListName } from '../site.ts';
import { profileEndpoint } from './profile-endpoint.ts';

type ReadList = (records: Records) => ListPage<object> | undefined;

const readers: Readonly<Record<ListName, ReadList>> = { photos: readPhotos, reels: readReels };

const summaries: Readonly<Record<ListName, string>> = {
  photos: 'Photos of a profile or page, newest first',
  reels: 'Reels of a profile or page, newest first',
};

/** Creates the endpoint for a profile's photos or reels, one page at a time. */
export function profileList(list: ListName, access: SiteAccess): Endpoint {
  const documentIds = createDocumentIds(access.site);
  return profileEndpoint(
    {
      path: `/profile/${list}`,
      summary: summaries[list],
      returns: [`author.${list}.contents`, `author.${list}.nextToken`],
      more: { nextToken: Type.Optional(nextTokenParameter) },
      async extract(link, lookup) {
        const profile = await openProfile(link, tabs[list], lookup);
        const { value, source, page } = await fetchList(list, link, profile, documentIds, lookup);
        const { items, next } = page;
        const nextToken = lookup.context.pages.token(next === undefined ? undefined : JSON.stringify(next));
        return {
          metadata: { author: { ...value, [list]: { contents: items, nextToken } }, additionalData: { source } },
        };
      },
    },
    access,
  );
}

/** Fetches the requested page of the list: the first from the tab, or a further one. */
async function fetchList(
  list: ListName,
  link: ProfileLink,
  profile: OpenedProfile,
  documentIds: DocumentIds,
  lookup: Lookup,
) {
  const { value, records, source } = profile;
  const { cursor } = lookup.context.pages;
  if (cursor !== undefined) {
    const tab = { ...profile, url: tabUrl(link, tabs[list]) };
    const further = await requestListPage({ list, place: readPlace(cursor), tab }, documentIds, lookup);
    const page = readers[list](further);
    if (page !== undefined) return { value, source: 'graphql', page };
    throw new MillraceError('invalid_response_data', 'Facebook returned a page without a list.');
  }
  const page = readers[list](records);
  if (page !== undefined) return { value, source, page };
  if (list === 'photos') throw membersOnly('photos');
  const other = await openProfile(link, tabs.videos, lookup);
  const videos = readVideos(other.records);
  if (videos === undefined) throw membersOnly('reels');
  return { value, source: other.source, page: videos };
}
