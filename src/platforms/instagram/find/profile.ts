import { MillraceError } from '../../../contract/errors.ts';
import { findProfileInJson, findProfileInPage, type Profile } from '../parse/profile.ts';
import { refusalOf } from '../parse/refusal.ts';
import type { InstagramRequests } from '../requests.ts';
import { tryStrategies } from './fallback-chain.ts';

/**
 * Finds a profile: in its page, then by the site's interface.
 *
 * @throws MillraceError for the site's refusal; `invalid_response_data` for a profile without its ID.
 */
export async function findProfile(username: string, requests: InstagramRequests, signal: AbortSignal) {
  const { value, source } = await tryStrategies<'page' | 'api', Profile>(
    [
      {
        source: 'page',
        run: async () => {
          const response = await requests.page(`/${username}/`);
          return withUserId(findProfileInPage(response.text, username) ?? raise(refusalOf(response, 'profile')));
        },
      },
      {
        source: 'api',
        run: async () => {
          const response = await requests.profile(username);
          const profile = findProfileInJson(response.text, username);
          if (profile === null)
            throw new MillraceError('not_found', 'This profile does not exist on Instagram, or was removed.');
          return profile ?? raise(refusalOf(response, 'profile'));
        },
      },
    ],
    signal,
  );
  return { profile: value, source };
}

function withUserId(profile: Profile): Profile {
  return profile.userId === undefined
    ? raise(
        new MillraceError('invalid_response_data', "Instagram's page does not contain the profile's ID. Try again."),
      )
    : profile;
}

function raise(error: MillraceError): never {
  throw error;
}
