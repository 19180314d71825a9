import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { text } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { Endpoint } from '../../platform.ts';
import { findProfile } from '../find/profile.ts';
import type { OpenRequests } from '../requests.ts';
import { usernameOf, usernameParameter } from './parameters.ts';

/** Creates the endpoint for an account's profile. */
export function profileDetails(open: OpenRequests): Endpoint {
  return defineEndpoint({
    path: '/user/profile/details',
    summary: 'Profile of an account',
    parameters: Type.Object({ username: usernameParameter }),
    credits: { ifSuccessful: 5 },
    contents: false,
    returns: ['author'],
    async extract({ username }, context) {
      const { profile, source } = await findProfile(usernameOf(username), open(context), context.signal);
      return { metadata: { author: profile, additionalData: { source } } };
    },
  });
}

/** Creates the endpoint for an account's numeric ID. */
export function profileId(open: OpenRequests): Endpoint {
  return defineEndpoint({
    path: '/user/profile/id-from-username',
    summary: 'Numeric ID of an account, by username',
    parameters: Type.Object({ username: usernameParameter }),
    credits: { ifSuccessful: 5 },
    contents: false,
    returns: ['author.userId', 'author.username'],
    async extract(parameters, context) {
      const name = usernameOf(parameters.username);
      const { profile, source } = await findProfile(name, open(context), context.signal);
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
