import { channelNames } from '../channel-name.ts';
import { definePlatform } from '../define-platform.ts';
import type { Platform } from '../platform.ts';
import { pinDetails } from './endpoints/pin-details.ts';
import { pinterest as links } from './links.ts';
import { probes } from './probes.ts';
import { defaultSite, type Site, siteSetting } from './site.ts';

/** Creates the Pinterest platform: pin details. */
export function createPinterest(site: Site = defaultSite): Platform {
  return {
    id: links.id,
    title: links.name,
    version: '3.0.0',
    channelName: channelNames(/^\d{1,30}$/),
    endpoints: [pinDetails(site)],
  };
}

/** The Pinterest entry for the registry. */
export const pinterest = definePlatform({
  links,
  publicAddress: 'https://www.pinterest.com/robots.txt',
  probes,
  settings: { P6_SITE: siteSetting },
  create: ({ P6_SITE }) => createPinterest(P6_SITE),
});
