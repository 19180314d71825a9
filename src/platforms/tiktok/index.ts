import Type from 'typebox';
import type { Endpoint, Platform } from '../platform.ts';
import { createBudget } from './budget.ts';
import { defaultUserAgents, type UserAgents } from './clients.ts';
import { type Pause, shortPause } from './pause.ts';
import { postDetails } from './post-details.ts';
import { userDetails } from './user-details.ts';

const MAX_LINK = 2_048;

/** TikTok: posts and users. */
export function createTiktok(userAgents: UserAgents = defaultUserAgents, pause: Pause = shortPause): Platform {
  const within = (extract: typeof postDetails): Endpoint['extract'] => {
    return (parameters, context) => extract(parameters, context, { userAgents, budget: createBudget(), pause });
  };
  return {
    id: 'p4',
    title: 'TikTok',
    version: '3.0.0',
    endpoints: [
      {
        path: '/post/details',
        summary: 'Media and metadata of a video or photo post',
        parameters: Type.Object({
          url: Type.String({
            maxLength: MAX_LINK,
            description: 'Link of a video or photo post; short links work.',
            examples: ['https://www.tiktok.com/@thelab/video/7559142440960000001'],
          }),
        }),
        credits: 1,
        contents: true,
        returns: ['additionalData'],
        // The site's videos are whole files with sound: there is nothing to join, and only the sound to take out.
        renderables: { matches: () => false, audio: true },
        extract: within(postDetails),
      },
      {
        path: '/user/details',
        summary: 'Profile and counts of a user',
        parameters: Type.Object({
          url: Type.String({
            maxLength: MAX_LINK,
            description: 'Link of a profile; short links work.',
            examples: ['https://www.tiktok.com/@thelab'],
          }),
        }),
        credits: 1,
        contents: false,
        returns: ['author.user', 'author.stats', 'author.statsV2'],
        extract: within(userDetails),
      },
    ],
  };
}
