import { countKinds, type UnreadKinds, type UnreadResponseError, unreadResponse } from '../../unread.ts';
import type { Page } from './page.ts';
import type { Records } from './records.ts';

/** Operations of pages of every kind, which say nothing about the content of one page (seen 2025-05 to 2026-07). */
const frames = new Set([
  'useCometLogInFormQuery',
  'ProfileCometHeaderQuery',
  'ProfilePlusCometLoggedOutRootQuery',
  'ProfileCometTimelineFeedQuery',
]);

/** Members of results that describe the visitor rather than the content. */
const visitorMembers = new Set(['viewer', 'qp_viewer', 'login_data']);

/** Kind of an operation that a page does not name. */
const UNNAMED = 'unnamed';

/**
 * Returns the operations of a page that have content, by name. A page whose results lie in an unknown container counts
 * as one. Returns none for a page that arrived without its data.
 */
export function contentOperations({ isComplete, hasResults, results }: Page): UnreadKinds {
  if (!isComplete) return {};
  if (results.length === 0) return hasResults ? { page: 1 } : {};
  const withContent = results.filter(({ operation = UNNAMED, label, data }) => {
    if (label !== undefined || frames.has(operation)) return false;
    return Object.entries(data).some(([name, value]) => value !== null && !visitorMembers.has(name));
  });
  return countKinds(withContent.map(({ operation = UNNAMED }) => operation));
}

/** Returns the error for a page that has content of an unknown shape, or undefined if there is no such content. */
export function unreadPage(page: Page): UnreadResponseError | undefined {
  const kinds = contentOperations(page);
  return Object.keys(kinds).length === 0 ? undefined : unreadError(kinds);
}

/** Returns the error for content of which nothing could be read. */
export function unreadError(kinds: UnreadKinds): UnreadResponseError {
  return unreadResponse('Facebook returned the requested content', kinds);
}

/** Returns whether a page has a post, video or photo in a known shape, whichever it is. */
export function hasKnownPost(records: Records): boolean {
  return ['short_form_video_context', 'attachments', 'videoDeliveryLegacyFields', 'viewer_image', 'photo_image'].some(
    (name) => records.having(name).length > 0,
  );
}
