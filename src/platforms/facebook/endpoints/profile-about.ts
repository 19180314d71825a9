import { MillraceError } from '../../../contract/errors.ts';
import type { Endpoint } from '../../platform.ts';
import type { SiteAccess } from '../find/fetch-page.ts';
import { bothHosts, fetchPages, type Lookup } from '../find/fetch-page.ts';
import { membersOnly, openProfile, tabs } from '../find/profile.ts';
import { type About, type AboutSection, contactsOf, readAbout } from '../parse/about.ts';
import { profileEndpoint } from './profile-endpoint.ts';

/** Further pages of the tab that are read. */
const MAX_PAGES = 6;

/** The About tab of a profile, all its pages together. */
export function profileAbout(access: SiteAccess): Endpoint {
  return profileEndpoint(
    {
      path: '/profile/about',
      summary: 'What the About tab of a profile or page tells',
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
            : { notes: [`Facebook did not show these parts: ${missingNames.join(', ')}.`] }),
        };
      },
    },
    access,
  );
}

/** A further page of the tab; undefined where the site does not show it: the first page alone is a result too. */
async function fetchFurther(url: string, lookup: Lookup): Promise<About | undefined> {
  try {
    return (await fetchPages(bothHosts('about page', url), ({ records }) => readAbout(records), lookup)).value;
  } catch (error) {
    if (!(error instanceof MillraceError) || lookup.context.signal.aborted) throw error;
    return undefined;
  }
}

/** Each section once: for some pages of the tab, the site sends the first one. */
function unique(sections: readonly AboutSection[]): AboutSection[] {
  return [...new Map(sections.map((section) => [JSON.stringify(section), section])).values()];
}
