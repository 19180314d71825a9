import type { CdnTools } from '../../cdn/tools.ts';
import type { Host } from '../../http/hosts.ts';
import { abouts } from '../abouts.ts';
import { pageFaults } from './faults.ts';
import { musicHost, plainMusicHost, subtitleHost, videoHosts } from './links.ts';
import { musicHandler, pictureHandler, subtitleHandler, videoHandler } from './media.ts';
import { shortCodes } from './short-links.ts';
import { shortLinkHandler, siteHandler } from './site.ts';
import { scenarios } from './world/scenarios.ts';
import { users } from './world/users.ts';

/** Returns every host of the simulated p4. */
export function tiktokHosts(tools: CdnTools): Host[] {
  const hosts = (names: readonly string[], handle: Host['handle']): Host[] => names.map((name) => ({ name, handle }));
  return [
    ...hosts(['www.tiktok.com', 'm.tiktok.com', 'us.tiktok.com', 'lite.tiktok.com'], siteHandler(tools)),
    ...hosts(['vm.tiktok.com', 'vt.tiktok.com'], shortLinkHandler),
    ...hosts(videoHosts, videoHandler(tools)),
    ...hosts([musicHost, plainMusicHost], musicHandler(tools)),
    ...hosts([subtitleHost], subtitleHandler(tools)),
    ...hosts(['*.tiktokcdn.com'], pictureHandler(tools)),
  ];
}

/** Returns the documented posts, users, codes of short links and words for faults of p4 with their descriptions. */
export function tiktokCatalogue(): Record<string, Record<string, string>> {
  return { posts: abouts(scenarios), users: abouts(users), shortLinks: abouts(shortCodes), words: abouts(pageFaults) };
}
