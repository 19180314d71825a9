import type { Endpoint } from '../../platform.ts';
import { readProfile } from '../parse/profile.ts';
import type { AskedSite } from '../site.ts';
import { openProfile } from './open-profile.ts';
import { profileEndpoint } from './profile-endpoint.ts';

/** What a profile or page tells of itself. */
export function profileDetails(site: AskedSite): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/details',
      summary: 'What a profile or page tells of itself',
      returns: ['author'],
      async answer(link, asking) {
        const { value, page, records, source } = await openProfile(link, undefined, asking);
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
    site,
  );
}

/** The number of a profile or page. A link that holds it is not looked up. */
export function profileId(site: AskedSite): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/id',
      summary: 'The number of a profile or page',
      returns: ['author.profileId'],
      async answer(link, asking) {
        if (link.id !== undefined) {
          return { metadata: { author: { profileId: link.id, url: link.url }, additionalData: { source: 'link' } } };
        }
        const { value, page, source } = await openProfile(link, undefined, asking);
        const handle = page.vanity ?? link.vanity;
        return {
          metadata: {
            author: { ...value, ...(handle === undefined ? {} : { handle }), url: link.url },
            additionalData: { source },
          },
        };
      },
    },
    site,
  );
}
