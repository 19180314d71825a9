import type { Endpoint } from '../../platform.ts';
import type { SiteAccess } from '../find/fetch-page.ts';
import { openProfile } from '../find/profile.ts';
import { readProfile } from '../parse/profile.ts';
import { profileEndpoint } from './profile-endpoint.ts';

/** Creates the endpoint for the details of a profile or page. */
export function profileDetails(access: SiteAccess): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/details',
      summary: 'Details of a profile or page',
      returns: ['author'],
      async extract(link, lookup) {
        const { value, page, records, source } = await openProfile(link, undefined, lookup);
        const author = readProfile(value, page, records);
        const thumbnailUrl = author.thumbnails?.[0]?.url;
        return {
          metadata: {
            ...(author.name === undefined ? {} : { title: author.name }),
            ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
            author,
            additionalData: { source },
          },
        };
      },
    },
    access,
  );
}

/** Creates the endpoint for the numeric ID of a profile or page. An ID in the link is returned without a request. */
export function profileId(access: SiteAccess): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/id',
      summary: 'Numeric ID of a profile or page',
      returns: ['author.profileId'],
      async extract(link, lookup) {
        if (link.id !== undefined) {
          return { metadata: { author: { profileId: link.id, url: link.url }, additionalData: { source: 'link' } } };
        }
        const { value, page, source } = await openProfile(link, undefined, lookup);
        const handle = page.vanity ?? link.vanity;
        return {
          metadata: {
            author: { ...value, ...(handle === undefined ? {} : { handle }), url: link.url },
            additionalData: { source },
          },
        };
      },
    },
    access,
  );
}
