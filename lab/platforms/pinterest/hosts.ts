import type { CdnTools } from '../../cdn/tools.ts';
import type { Host } from '../../http/hosts.ts';
import { abouts } from '../abouts.ts';
import { avatarHandler, pictureHandler, videoHandler } from './media.ts';
import { scenarios, shortLinks } from './scenarios.ts';
import { shortLinkHandler, siteHandler } from './site.ts';

/** Returns every host of the simulated p6. */
export function pinterestHosts(tools: CdnTools): Host[] {
  const site = siteHandler(tools);
  return [
    ...['www.pinterest.com', 'de.pinterest.com'].map((name) => ({ name, handle: site })),
    { name: 'api.pinterest.com', handle: shortLinkHandler },
    { name: 'pin.it', handle: shortLinkHandler },
    { name: 'i.pinimg.com', handle: pictureHandler(tools) },
    { name: 'v1.pinimg.com', handle: videoHandler(tools) },
    { name: 's.pinimg.com', handle: avatarHandler(tools) },
  ];
}

/** Returns the documented pins and short links with their descriptions. */
export function pinterestCatalogue(): Record<'pins' | 'shortLinks', Record<string, string>> {
  return { pins: abouts(scenarios), shortLinks: abouts(shortLinks) };
}
