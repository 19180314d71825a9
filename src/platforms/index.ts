import { dailymotion } from './dailymotion/index.ts';
import { createFacebook } from './facebook/index.ts';
import { defaultFacebookSite, type FacebookSite } from './facebook/site.ts';
import { defaultInstagramClient, type InstagramClient } from './instagram/client.ts';
import { createInstagram } from './instagram/index.ts';
import { createPinterest } from './pinterest/index.ts';
import { defaultPinterestSite, type PinterestSite } from './pinterest/site.ts';
import type { Platform } from './platform.ts';
import { defaultUserAgents, type UserAgents } from './tiktok/clients.ts';
import { createTiktok } from './tiktok/index.ts';
import { type ClientSettings, defaultClients } from './youtube/clients.ts';
import { createYoutube } from './youtube/index.ts';

/** What the operator may set of platforms. */
export interface PlatformSettings {
  readonly P1_CLIENTS: ClientSettings;
  readonly P2_CLIENT: InstagramClient;
  readonly P3_SITE: FacebookSite;
  readonly P4_USER_AGENTS: UserAgents;
  readonly P6_SITE: PinterestSite;
}

/** What holds where the operator sets nothing. */
export const defaultSettings: PlatformSettings = {
  P1_CLIENTS: defaultClients,
  P2_CLIENT: defaultInstagramClient,
  P3_SITE: defaultFacebookSite,
  P4_USER_AGENTS: defaultUserAgents,
  P6_SITE: defaultPinterestSite,
};

/** Every platform of the service. */
export function createPlatforms(settings: PlatformSettings): readonly Platform[] {
  return [
    createYoutube(settings.P1_CLIENTS),
    createInstagram(settings.P2_CLIENT),
    createFacebook(settings.P3_SITE),
    createTiktok(settings.P4_USER_AGENTS),
    dailymotion,
    createPinterest(settings.P6_SITE),
  ];
}
