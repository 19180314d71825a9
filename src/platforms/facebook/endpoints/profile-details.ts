import type { Endpoint } from '../../platform.ts';
import { addUnread } from '../../unread.ts';
import { fetchPages, type ParsedPage, type SiteAccess } from '../find/fetch-page.ts';
import { openProfile, tabStrategies, tabStrategyNames } from '../find/profile.ts';
import { hasProfileParts, type ProfileIds, readProfile, readProfileIds, unreadParts } from '../parse/profile.ts';
import { isHeadOfProfile } from '../parse/profile-head.ts';
import { profileEndpoint } from './profile-endpoint.ts';

/** Creates the endpoint for the details of a profile or page. */
export function profileDetails(access: SiteAccess): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/details',
      summary: 'Details of a profile or page',
      returns: ['author'],
      strategies: tabStrategyNames(undefined),
      async extract(link, lookup) {
        const { value, page, records, source, unread } = await fetchPages(
          tabStrategies(link, undefined),
          readSubject,
          lookup,
        );
        const author = readProfile(value, page, records);
        const thumbnailUrl = author.thumbnails?.[0]?.url;
        return {
          metadata: {
            ...(author.name === undefined ? {} : { title: author.name }),
            ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
            author,
            additionalData: { source },
          },
          unread: addUnread(unread, unreadParts(value, page, records)),
        };
      },
    },
    access,
  );
}

/** Reads the IDs of a page's profile. The page of a profile may come without data, and then has none. */
function readSubject({ page, records }: ParsedPage): Partial<ProfileIds> | undefined {
  if (!page.isComplete && !hasProfileParts(records)) return undefined;
  return readProfileIds(page, records) ?? (isHeadOfProfile(page) ? {} : undefined);
}

/** Creates the endpoint for the numeric ID of a profile or page. An ID in the link is returned without a request. */
export function profileId(access: SiteAccess): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/id',
      summary: 'Numeric ID of a profile or page',
      returns: ['author.profileId'],
      strategies: tabStrategyNames(undefined),
      async extract(link, lookup) {
        if (link.id !== undefined) {
          return { metadata: { author: { profileId: link.id, url: link.url }, additionalData: { source: 'link' } } };
        }
        const { value, page, source, unread } = await openProfile(link, undefined, lookup);
        const handle = page.route?.vanity ?? link.vanity;
        return {
          metadata: {
            author: { ...value, ...(handle === undefined ? {} : { handle }), url: link.url },
            additionalData: { source },
          },
          unread,
        };
      },
    },
    access,
  );
}
