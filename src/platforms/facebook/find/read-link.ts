import { readLinkParameter } from '../../link-parameter.ts';
import { type FacebookLink, isSiteHost, recognise } from '../links.ts';

/**
 * Finds the first link of the site in a text and returns its meaning. Throws the errors of {@link readLinkParameter},
 * with `invalid_url` for a text without a link.
 */
export function readLink(text: string): FacebookLink {
  return readLinkParameter<FacebookLink>(text, {
    name: 'url',
    site: 'Facebook',
    ofText: () => undefined,
    isOfSite: ({ hostname }) => isSiteHost(hostname),
    ofLink: (url) => recognise(url.href) ?? undefined,
    expected: 'or contain a link such as https://www.facebook.com/reel/123',
    purpose: 'lead to a post, photo, video, reel, profile or page',
    codeWithoutLink: 'invalid_url',
  });
}
