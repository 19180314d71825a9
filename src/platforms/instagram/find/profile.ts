import { MillraceError } from '../../../contract/errors.ts';
import { nextSlice } from '../../../waiting/steps.ts';
import type { ExtractionContext, SourceResponse } from '../../platform.ts';
import { addUnread, type UnreadKinds } from '../../unread.ts';
import {
  findProfileInJson,
  findProfileInPage,
  type Profile,
  type ProfileResult,
  readProfileHead,
} from '../parse/profile.ts';
import { refusalOf, unreadItem } from '../parse/refusal.ts';
import type { InstagramRequests } from '../requests.ts';
import type { Site } from '../site.ts';
import { type Strategy, tryStrategies } from './fallback-chain.ts';

type Source = Site['profileSources'][number];

/** A profile that was found. `unread` are parts of the responses that could not be read, such as posts. */
interface FoundProfile {
  readonly profile: Profile;
  readonly unread: UnreadKinds;
  /** `head` if only the head of the page was available, whose counts are rounded. */
  readonly source: Source;
}

/**
 * Finds a profile: in its page, then by the site's interface, then in the head of the page.
 *
 * @throws MillraceError for the site's refusal; UnreadResponseError for a page without the profile's ID.
 */
export async function findProfile(
  username: string,
  requests: InstagramRequests,
  context: Pick<ExtractionContext, 'signal' | 'strategy'>,
): Promise<FoundProfile> {
  let pendingPage: Promise<SourceResponse> | undefined;
  const page = () => {
    pendingPage ??= requests.page(`/${username}/`);
    return pendingPage;
  };
  const run: Readonly<Record<Source, () => Promise<Omit<FoundProfile, 'source'>>>> = {
    page: async () => {
      const response = await page();
      return withUserId(await readable(findProfileInPage(response.text, username), response));
    },
    api: async () => {
      const response = await requests.profile(username);
      const result = findProfileInJson(response.text, username);
      if (result === null)
        throw new MillraceError('not_found', 'This profile does not exist on Instagram, or was removed.');
      return await readable(result, response);
    },
    head: async () => {
      const response = await page();
      const profile = readProfileHead(response.text, username);
      if (profile === undefined) throw refusalOf(response, 'profile');
      return { profile, unread: {} };
    },
  };
  const strategies = requests.site.profileSources.map(
    (source): Strategy<Source, Omit<FoundProfile, 'source'>> => ({
      source,
      run: run[source],
    }),
  );
  const { value, source, unread } = await tryStrategies(strategies, context);
  return { ...value, source, unread: addUnread(unread, value.unread) };
}

async function readable(
  result: ProfileResult | undefined,
  response: SourceResponse,
): Promise<Omit<FoundProfile, 'source'>> {
  if (result === undefined) {
    // It parses the response again.
    await nextSlice();
    throw refusalOf(response, 'profile');
  }
  const { profile, unread } = result;
  if (profile === undefined) throw unreadItem('profile', unread);
  return { profile, unread };
}

function withUserId(found: Omit<FoundProfile, 'source'>): Omit<FoundProfile, 'source'> {
  if (found.profile.userId !== undefined) return found;
  throw unreadItem('profile', { userId: 1 });
}
