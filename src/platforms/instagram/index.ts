import Type from 'typebox';
import { MillraceError } from '../../contract/errors.ts';
import { countryCodeParameter, renderableFormatsParameter } from '../../contract/parameters.ts';
import { text } from '../../parsing/values.ts';
import type { ExtractionContext, Platform } from '../platform.ts';
import { audioDetails } from './audio-details.ts';
import { defaultInstagramClient, type InstagramClient } from './client.ts';
import { findProfile } from './find-profile.ts';
import { audioIdOf, shortcodeOf, usernameOf } from './parameters.ts';
import { postDetails } from './post-details.ts';
import { createRequests } from './requests.ts';
import { matchesRung, rungs } from './rungs.ts';

const username = Type.String({
  description: 'Name of the account, without @, or the link of its profile.',
  examples: ['thelab'],
});

/** Instagram: posts, reels, carousels, sounds, profiles. */
export function createInstagram(client: InstagramClient = defaultInstagramClient): Platform {
  const open = ({ source }: ExtractionContext) => createRequests(source, client);
  return {
    id: 'p2',
    title: 'Instagram',
    version: '3.0.0',
    endpoints: [
      {
        path: '/media/post/details',
        summary: 'Media and metadata of a post, reel or carousel',
        parameters: Type.Object({
          shortcode: Type.String({
            description: 'Code in the address of the post, or the link itself.',
            examples: ['lab-reel-30'],
          }),
          renderableFormats: Type.Optional(
            renderableFormatsParameter(
              rungs,
              `Qualities to prepare renders for: lowres, midres, highres, all, all_highres, or ${rungs.join(', ')}.`,
            ),
          ),
          countryCode: Type.Optional(countryCodeParameter),
        }),
        credits: 1,
        contents: true,
        returns: ['additionalData'],
        renderables: { matches: matchesRung, audio: false },
        async extract(parameters, context) {
          const requests = open(context);
          return await postDetails(await shortcodeOf(parameters.shortcode, requests), requests, context);
        },
      },
      {
        path: '/media/audio/details',
        summary: 'A sound, and reels that use it',
        parameters: Type.Object({
          audioId: Type.String({ description: 'Number of the sound, or its link.', examples: ['1000000000000001'] }),
        }),
        credits: 1,
        contents: true,
        returns: ['additionalData'],
        extract: (parameters, context) => audioDetails(audioIdOf(parameters.audioId), open(context), context),
      },
      {
        path: '/user/profile/details',
        summary: 'The profile of an account',
        parameters: Type.Object({ username }),
        credits: { ifSuccessful: 5 },
        contents: false,
        returns: ['author'],
        async extract(parameters, context) {
          const { profile, source } = await findProfile(usernameOf(parameters.username), open(context), context.signal);
          return { metadata: { author: profile, additionalData: { source } } };
        },
      },
      {
        path: '/user/profile/id-from-username',
        summary: 'The number of an account, from its name',
        parameters: Type.Object({ username }),
        credits: { ifSuccessful: 5 },
        contents: false,
        returns: ['author.userId', 'author.username'],
        async extract(parameters, context) {
          const { profile, source } = await findProfile(usernameOf(parameters.username), open(context), context.signal);
          const { userId, username: name } = profile;
          if (text(userId) === undefined) {
            throw new MillraceError('invalid_response_data', 'Instagram did not tell the number of the profile.');
          }
          return { metadata: { author: { userId, username: name }, additionalData: { source } } };
        },
      },
    ],
  };
}
