import type { CdnTools } from '../../cdn/tools.ts';
import type { Host } from '../../http/hosts.ts';
import { pictureHost, videoHost } from './links.ts';
import { mediaHandler } from './media.ts';
import { aliasHandler, siteHandler } from './site.ts';

/** Returns every host of the simulated p2. */
export function instagramHosts(tools: CdnTools): Host[] {
  const aliases = ['instagram.com', 'm.instagram.com', 'instagr.am', 'www.instagr.am'];
  return [
    { name: 'www.instagram.com', handle: siteHandler },
    ...aliases.map((name) => ({ name, handle: aliasHandler })),
    ...[pictureHost, videoHost].map((name) => ({ name, handle: mediaHandler(tools) })),
  ];
}
