import { channelNames } from '../channel-name.ts';
import { definePlatform } from '../define-platform.ts';
import type { ExtractionContext, Platform } from '../platform.ts';
import { audioDetails } from './endpoints/audio-details.ts';
import { postDetails } from './endpoints/post-details.ts';
import { profileDetails, profileId } from './endpoints/profile-details.ts';
import { instagram as links } from './links.ts';
import { probes } from './probes.ts';
import { createRequests } from './requests.ts';
import { defaultSite, type Site, siteSetting } from './site.ts';

/** Creates the Instagram platform: posts, reels, carousels, audio tracks and profiles. */
export function createInstagram(site: Site = defaultSite): Platform {
  const open = ({ source }: ExtractionContext) => createRequests(source, site);
  return {
    id: links.id,
    title: links.name,
    version: '3.0.0',
    channelName: channelNames(/^\d{1,30}$/),
    endpoints: [postDetails(open, site), audioDetails(open), profileDetails(open, site), profileId(open, site)],
  };
}

/** The Instagram entry for the registry. */
export const instagram = definePlatform({
  links,
  publicAddress: 'https://www.instagram.com/robots.txt',
  probes,
  settings: { P2_CLIENT: siteSetting },
  create: ({ P2_CLIENT }) => createInstagram(P2_CLIENT),
});
