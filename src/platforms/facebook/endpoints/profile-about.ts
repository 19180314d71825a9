import { MillraceError } from '../../../contract/errors.ts';
import type { Endpoint } from '../../platform.ts';
import type { SiteAccess } from '../find/fetch-page.ts';
import { bothHosts, fetchPages, type Lookup } from '../find/fetch-page.ts';
import { membersOnly, openProfile, tabs } from '../find/profile.ts';
import { type About, type AboutSection, contactsOf, readAbout } from '../parse/about.ts';
import { profileEndpoint } from './profile-endpoint.ts';

/** Maximum number of further pages of the tab to read. */
const MAX_PAGES = 6;

/** Creates the endpoint for a profile's About tab, with all its pages combined. */
export function profileAbout(access: SiteAccess): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/about',
      summary: 'The About tab of a profile or page',
      returns: ['author.about'],
      async extract(link, lookup) {
        const { value, records, source } = await openProfile(link, tabs.about, lookup);
        const first = readAbout(records);
        if (first === undefined) throw membersOnly('About tab');
        const others = first.pages.filter(({ active }) => !active).slice(0, MAX_PAGES);
        const further = await Promise.all(others.map(({ url }) => fetchFurther(url, lookup)));
        const sections = [first, ...further].flatMap((about) => about?.sections ?? []);
        const missingNames = others.filter((_, place) => further[place] === undefined).map(({ name }) => name);
        return {
          metadata: {
            author: { ...value, about: { ...contactsOf(sections), sections: unique(sections) } },
            additionalData: { source },
          },
          ...(missingNames.length === 0
            ? {}
            : { notes: [`Facebook did not return these parts: ${missingNames.join(', ')}.`] }),
        };
      },
    },
    access,
  );
}

/**
 * Fetches a further page of the tab. Returns undefined if the site does not serve it, because the first page
 * alone is still a valid result.
 */
async function fetchFurther(url: string, lookup: Lookup): Promise<About | undefined> {
  try {
    return (await fetchPages(bothHosts('about page', url), ({ records }) => readAbout(records), lookup)).value;
  } catch (error) {
    if (!(error instanceof MillraceError) || lookup.context.signal.aborted) throw error;
    return undefined;
  }
}

/** Removes duplicate sections: the site sends the first page again for some pages of the tab. */
function unique(sections: readonly AboutSection[]): AboutSection[] {
  return [...new Map(sections.map((section) => [JSON.stringify(section), section])).values()];
}
