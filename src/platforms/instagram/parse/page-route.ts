import { text } from '../../../parsing/values.ts';
import { valuesInPage } from './page-data.ts';

/** The site's own statements about a page, from the JSON in its script blocks. */
export interface PageRoute {
  /** The type of the page, such as `PolarisErrorRoute`. */
  readonly name?: string;
  /** Whether the page says that only the followers of a private account can see the post. */
  readonly isPrivatePost: boolean;
}

const PREFIX = 'comet.igweb.';

/**
 * The site's name for the page of a private post. Every page has this name as a key of a table of sampling rates, so it
 * counts only as the value of a member.
 */
const PRIVATE_POST = 'polaris.privatePostPage';

/** Reads the route of a page. */
export function routeOf(html: string): PageRoute {
  const name = html.includes(PREFIX)
    ? valuesInPage(html, 'canonicalRouteName').flatMap((value) => text(value) ?? [])[0]
    : undefined;
  const isPrivatePost =
    html.includes(PRIVATE_POST) &&
    ['tracePolicy', 'pageID'].some((member) => valuesInPage(html, member).includes(PRIVATE_POST));
  return { isPrivatePost, ...(name?.startsWith(PREFIX) ? { name: name.slice(PREFIX.length) } : {}) };
}
