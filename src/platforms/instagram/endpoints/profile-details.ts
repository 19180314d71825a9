import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { text } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { Endpoint } from '../../platform.ts';
import { findProfile } from '../find/profile.ts';
import type { OpenRequests } from '../requests.ts';
import type { Site } from '../site.ts';
import { usernameOf, usernameParameter, usernamesIn } from './parameters.ts';

/** Creates the endpoint for an account's profile. */
export function profileDetails(open: OpenRequests, site: Site): Endpoint {
  return defineEndpoint({
    path: '/user/profile/details',
    summary: 'Profile of an account',
    parameters: Type.Object({ username: usernameParameter }),
    credits: { ifSuccessful: 5 },
    contents: false,
    returns: ['author'],
    strategies: site.profileSources,
    subjects: ({ username }) => ({ channels: usernamesIn(username) }),
    async extract({ username }, context) {
      const { profile, source, unread } = await findProfile(usernameOf(username), open(context), context);
      const metadata = { author: profile, additionalData: { source } };
      if (source !== 'head') return { metadata, unread };
      const note =
        'Instagram sent only the head of this profile. Its counts are rounded, and other details are missing.';
      return { metadata, unread, notes: [note], incomplete: true };
    },
  });
}

/** Creates the endpoint for an account's numeric ID. */
export function profileId(open: OpenRequests, site: Site): Endpoint {
  return defineEndpoint({
    path: '/user/profile/id-from-username',
    summary: 'Numeric ID of an account, by username',
    parameters: Type.Object({ username: usernameParameter }),
    credits: { ifSuccessful: 5 },
    contents: false,
    returns: ['author.userId', 'author.username'],
    strategies: site.profileSources,
    subjects: ({ username }) => ({ channels: usernamesIn(username) }),
    async extract(parameters, context) {
      const { profile, source } = await findProfile(usernameOf(parameters.username), open(context), context);
      const { userId, username } = profile;
      if (text(userId) === undefined) {
        throw new MillraceError(
          'invalid_response_data',
          "Instagram's response does not contain the profile's ID. Try again.",
        );
      }
      return { metadata: { author: { userId, username }, additionalData: { source } } };
    },
  });
}
