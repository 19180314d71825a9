import { MillraceError } from '../../../contract/errors.ts';
import type { Endpoint } from '../../platform.ts';
import { addUnread, UnreadResponseError } from '../../unread.ts';
import type { SiteAccess } from '../find/fetch-page.ts';
import { bothHosts, fetchPages, type Lookup, type ParsedPage } from '../find/fetch-page.ts';
import { tabStrategies, tabStrategyNames, tabs, withoutContent } from '../find/profile.ts';
import { type About, type AboutSection, contactsOf, readAbout } from '../parse/about.ts';
import { type ProfileIds, readProfileIds, subjectsOfProfile } from '../parse/profile.ts';
import { unreadPage } from '../parse/unread-content.ts';
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
      strategies: tabStrategyNames(tabs.about),
      async extract(link, lookup) {
        const { value, source, unread } = await fetchPages(tabStrategies(link, tabs.about), readFirst, lookup);
        const { ids, handle, first } = value;
        const others = first.pages.filter(({ active }) => !active).slice(0, MAX_PAGES);
        const further = await Promise.all(others.map(({ url }) => fetchFurther(url, lookup)));
        const abouts = [first, ...further];
        const sections = abouts.flatMap((about) => about.sections ?? []);
        const missingNames = others
          .filter((_, place) => further[place]?.sections === undefined)
          .map(({ name }) => name);
        return {
          metadata: {
            author: { ...ids, about: { ...contactsOf(sections), sections: unique(sections) } },
            additionalData: { source },
          },
          subjects: subjectsOfProfile(ids, handle),
          unread: addUnread(unread, ...abouts.map((about) => about.unread)),
          ...(missingNames.length === 0
            ? {}
            : {
                notes: [`Facebook did not return these parts: ${missingNames.join(', ')}.`],
                incomplete: further.some(({ mayArriveLater }) => mayArriveLater),
              }),
        };
      },
    },
    access,
  );
}

/** The tab's first page, and the profile that it belongs to. */
interface FirstPage {
  readonly ids: ProfileIds;
  readonly handle: string | undefined;
  readonly first: About;
}

/** Reads the tab's first page, and the profile's IDs. */
function readFirst({ page, records }: ParsedPage): FirstPage | undefined {
  const ids = readProfileIds(page, records);
  if (ids === undefined) return undefined;
  const first = readAbout(records) ?? withoutContent(page, 'About tab', unreadPage(page));
  return first === undefined ? undefined : { ids, handle: page.route?.vanity, first };
}

/** A further page of the tab. Without sections, the site did not serve it, or it could not be read. */
interface FurtherPage extends Partial<About> {
  /** Whether the next request may get it. */
  readonly mayArriveLater?: boolean;
}

/** Fetches a further page of the tab. Its failure is not an error, because the first page alone is a valid result. */
async function fetchFurther(url: string, lookup: Lookup): Promise<FurtherPage> {
  try {
    return (await fetchPages(bothHosts('about page', url), ({ records }) => readAbout(records), lookup)).value;
  } catch (error) {
    if (!(error instanceof MillraceError) || lookup.context.signal.aborted) throw error;
    if (error instanceof UnreadResponseError) return { unread: error.unread };
    // Some parts are never shown to guests: the site responds with the same wall each time.
    return { mayArriveLater: error.retryable && error.code !== 'signin_required' };
  }
}

/** Removes duplicate sections: the site sends the first page again for some pages of the tab. */
function unique(sections: readonly AboutSection[]): AboutSection[] {
  return [...new Map(sections.map((section) => [JSON.stringify(section), section])).values()];
}
