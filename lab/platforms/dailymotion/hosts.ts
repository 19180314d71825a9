import type { CdnTools } from '../../cdn/tools.ts';
import type { Host } from '../../http/hosts.ts';
import { scenarios } from './catalogue.ts';
import { liveHandler } from './live.ts';
import { liveHosts } from './manifest.ts';
import { pictureHandler } from './pictures.ts';
import { playerHandler } from './player.ts';
import { restHandler } from './rest.ts';
import { vodHandler } from './vod.ts';

/** Returns every host of the simulated p5. */
export function dailymotionHosts(tools: CdnTools): Host[] {
  const hosts = (names: readonly string[], handle: Host['handle']): Host[] => names.map((name) => ({ name, handle }));
  return [
    ...hosts(['www.dailymotion.com', 'geo.dailymotion.com', 'cdndirector.dailymotion.com'], playerHandler(tools)),
    ...hosts(['api.dailymotion.com'], restHandler(tools)),
    ...hosts(['vod.cf.dmcdn.net', 'vod3.cf.dmcdn.net'], vodHandler(tools)),
    ...hosts(liveHosts, liveHandler(tools)),
    ...hosts(['s1.dmcdn.net', 's2.dmcdn.net'], pictureHandler(tools)),
  ];
}

/** Returns the documented IDs with their descriptions. */
export function dailymotionCatalogue(): Record<string, string> {
  return Object.fromEntries(Object.entries(scenarios).map(([id, { about }]) => [id, about]));
}
