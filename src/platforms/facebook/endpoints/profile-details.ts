import Type from 'typebox';
import type { Endpoint } from '../../platform.ts';
import { startAsking } from '../ask-page.ts';
import { readProfile } from '../parse/profile.ts';
import type { FacebookSite } from '../site.ts';
import { openProfile, readProfileLink } from './open-profile.ts';
import { urlParameter } from './url-parameter.ts';

/** What a profile or page tells of itself. */
export function profileDetails(settings: FacebookSite): Endpoint {
  return {
    path: '/profile/details',
    summary: 'What a profile or page tells of itself',
    parameters: Type.Object({ url: urlParameter }),
    credits: 1,
    contents: false,
    async extract({ url }, context) {
      const asking = startAsking(context, settings, 'profile');
      const link = await readProfileLink(url, asking);
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
  };
}

/** The number of a profile or page. A link that holds it is not looked up. */
export function profileId(settings: FacebookSite): Endpoint {
  return {
    path: '/profile/id',
    summary: 'The number of a profile or page',
    parameters: Type.Object({ url: urlParameter }),
    credits: 1,
    contents: false,
    async extract({ url }, context) {
      const asking = startAsking(context, settings, 'profile');
      const link = await readProfileLink(url, asking);
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
  };
}
