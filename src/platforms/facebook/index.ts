import type { Platform } from '../platform.ts';
import { postDetails } from './endpoints/post-details.ts';
import { profileAbout } from './endpoints/profile-about.ts';
import { profileDetails, profileId } from './endpoints/profile-details.ts';
import { profileList } from './endpoints/profile-lists.ts';
import { defaultFacebookSite, type FacebookSite } from './site.ts';

/** Facebook: posts, photos, videos and reels, profiles and pages. */
export function createFacebook(settings: FacebookSite = defaultFacebookSite): Platform {
  return {
    id: 'p3',
    title: 'Facebook',
    version: '3.0.0',
    endpoints: [
      postDetails(settings),
      profileDetails(settings),
      profileId(settings),
      profileAbout(settings),
      profileList('reels', settings),
      profileList('photos', settings),
    ],
  };
}
