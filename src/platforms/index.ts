import { dailymotion } from './dailymotion/index.ts';
import type { Platform } from './platform.ts';
import type { ClientSettings } from './youtube/clients.ts';
import { createYoutube } from './youtube/index.ts';

/** What the operator may set of platforms. */
export interface PlatformSettings {
  readonly P1_CLIENTS: ClientSettings;
}

/** Every platform of the service. */
export function createPlatforms(settings: PlatformSettings): readonly Platform[] {
  return [createYoutube(settings.P1_CLIENTS), dailymotion];
}
