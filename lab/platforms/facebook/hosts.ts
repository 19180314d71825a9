import type { CdnTools } from '../../cdn/tools.ts';
import type { Host } from '../../http/hosts.ts';
import { pictureHost, videoHost } from './links.ts';
import { mediaHandler } from './media.ts';
import { scriptHandler } from './scripts.ts';
import { siteHandler } from './site.ts';

/** Returns every host of the simulated p3. */
export function facebookHosts(tools: CdnTools): Host[] {
  const site = siteHandler(tools);
  const media = mediaHandler(tools);
  return [
    ...['www.facebook.com', 'web.facebook.com', 'm.facebook.com', 'mbasic.facebook.com', 'fb.watch', 'fb.me'].map(
      (name) => ({ name, handle: site }),
    ),
    { name: videoHost, handle: media },
    { name: pictureHost, handle: media },
    { name: 'static.xx.fbcdn.net', handle: scriptHandler },
  ];
}
