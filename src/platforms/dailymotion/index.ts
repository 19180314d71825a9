import { channelNames } from '../channel-name.ts';
import { definePlatform } from '../define-platform.ts';
import type { Platform } from '../platform.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { dailymotion as links } from './links.ts';
import { probes } from './probes.ts';
import { defaultSite, type Site, siteSetting } from './site.ts';

/** Creates the Dailymotion platform: video details. */
export function createDailymotion(site: Site = defaultSite): Platform {
  return {
    id: links.id,
    title: links.name,
    version: '3.0.0',
    channelName: channelNames(/^x[0-9a-z]{3,31}$/),
    endpoints: [videoDetails(site)],
  };
}

/** The Dailymotion entry for the registry. */
export const dailymotion = definePlatform({
  links,
  publicAddress: 'https://www.dailymotion.com/robots.txt',
  probes,
  settings: { P5_SITE: siteSetting },
  create: ({ P5_SITE }) => createDailymotion(P5_SITE),
});
