import { dailymotion } from './dailymotion/index.ts';
import { createPinterest } from './pinterest/index.ts';
import type { SiteSettings } from './pinterest/site.ts';
import type { Platform } from './platform.ts';
import type { ClientSettings } from './youtube/clients.ts';
import { createYoutube } from './youtube/index.ts';

/** What the operator may set of platforms. */
export interface PlatformSettings {
  readonly P1_CLIENTS: ClientSettings;
  readonly P6_SITE: SiteSettings;
}

/** Every platform of the service. */
export function createPlatforms(settings: PlatformSettings): readonly Platform[] {
  return [createYoutube(settings.P1_CLIENTS), dailymotion, createPinterest(settings.P6_SITE)];
}
