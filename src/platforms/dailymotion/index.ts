import { definePlatform } from '../define-platform.ts';
import type { Platform } from '../platform.ts';
import { videoDetails } from './endpoints/video-details.ts';
import { dailymotion as links } from './links.ts';

/** Creates the Dailymotion platform: video details. */
export function createDailymotion(): Platform {
  return {
    id: links.id,
    title: links.name,
    version: '3.0.0',
    endpoints: [videoDetails],
  };
}

/** The Dailymotion entry for the registry. */
export const dailymotion = definePlatform({
  links,
  probe: 'https://www.dailymotion.com/robots.txt',
  settings: {},
  create: createDailymotion,
});
