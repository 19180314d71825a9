import { MillraceError } from '../../../contract/errors.ts';
import type { SourceResponse } from '../../platform.ts';
import { type Session, sessionOf } from '../parse/page.ts';
import type { InstagramRequests } from '../requests.ts';

/**
 * Returns the tokens of a page that was already requested, or else those of the site's home page.
 *
 * @throws MillraceError `non_2xx_response` if the site provides none.
 */
export async function openSession(page: SourceResponse | undefined, requests: InstagramRequests): Promise<Session> {
  const session = (page && sessionOf(page)) ?? sessionOf(await requests.home());
  if (session !== undefined) return session;
  throw new MillraceError('non_2xx_response', 'Instagram did not provide a session. Try again later.');
}
