import { channelNames } from '../channel-name.ts';
import { definePlatform } from '../define-platform.ts';
import type { Platform } from '../platform.ts';
import { postDetails } from './endpoints/post-details.ts';
import { userDetails } from './endpoints/user-details.ts';
import { type Pause, shortPause } from './find/pause.ts';
import type { StartLookup } from './find/strategies.ts';
import { tiktok as links } from './links.ts';
import { probes } from './probes.ts';
import { defaultSite, type Site, siteSetting, userAgentSetting } from './site.ts';
import { createTimeBudget } from './time-budget.ts';

/** Creates the TikTok platform: posts and users. */
export function createTiktok(site: Site = defaultSite, pause: Pause = shortPause): Platform {
  const startLookup: StartLookup = ({ timeLeft }) => ({ site, budget: createTimeBudget(timeLeft), pause });
  return {
    id: links.id,
    title: links.name,
    version: '3.0.0',
    channelName: channelNames(/^(?:\d{1,30}|MS4wLjABAAAA[\w-]{1,100})$/),
    endpoints: [postDetails(startLookup), userDetails(startLookup)],
  };
}

/** The TikTok entry for the registry. */
export const tiktok = definePlatform({
  links,
  publicAddress: 'https://www.tiktok.com/robots.txt',
  probes,
  settings: { P4_USER_AGENTS: userAgentSetting, P4_SITE: siteSetting },
  create: ({ P4_USER_AGENTS, P4_SITE }) => createTiktok({ ...P4_SITE, userAgents: P4_USER_AGENTS }),
});
