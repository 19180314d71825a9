import { channelNames } from '../channel-name.ts';
import { definePlatform } from '../define-platform.ts';
import type { Platform } from '../platform.ts';
import { postDetails } from './endpoints/post-details.ts';
import { profileAbout } from './endpoints/profile-about.ts';
import { profileDetails, profileId } from './endpoints/profile-details.ts';
import { profileList } from './endpoints/profile-lists.ts';
import { createSignInWalls } from './find/sign-in-walls.ts';
import { facebook as links } from './links.ts';
import { probes } from './probes.ts';
import { defaultSite, type Site, siteSetting } from './site.ts';

/** Creates the Facebook platform: posts, photos, videos and reels, profiles and pages. */
export function createFacebook(site: Site = defaultSite): Platform {
  const access = { site, signInWalls: createSignInWalls() };
  return {
    id: links.id,
    title: links.name,
    version: '3.0.0',
    // The site ignores dots in names: the.lab and thelab are the same profile.
    channelName: channelNames(/^\d{1,30}$/, '.'),
    endpoints: [
      postDetails(access),
      profileDetails(access),
      profileId(access),
      profileAbout(access),
      profileList('reels', access),
      profileList('photos', access),
    ],
  };
}

/** The Facebook entry for the registry. */
export const facebook = definePlatform({
  links,
  publicAddress: 'https://www.facebook.com/robots.txt',
  probes,
  settings: { P3_SITE: siteSetting },
  create: ({ P3_SITE }) => createFacebook(P3_SITE),
});
