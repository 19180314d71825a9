import type { Platform } from '../platform.ts';
import { postDetails } from './endpoints/post-details.ts';
import { profileAbout } from './endpoints/profile-about.ts';
import { profileDetails, profileId } from './endpoints/profile-details.ts';
import { profileList } from './endpoints/profile-lists.ts';
import { defaultFacebookSite, type FacebookSite } from './site.ts';
import { createWalls } from './walls.ts';

/** Facebook: posts, photos, videos and reels, profiles and pages. */
export function createFacebook(settings: FacebookSite = defaultFacebookSite): Platform {
  const site = { ...settings, walls: createWalls() };
  return {
    id: 'p3',
    title: 'Facebook',
    version: '3.0.0',
    endpoints: [
      postDetails(site),
      profileDetails(site),
      profileId(site),
      profileAbout(site),
      profileList('reels', site),
      profileList('photos', site),
    ],
  };
}
