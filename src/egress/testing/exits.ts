import { type ExitSettings, type Exits, openExits } from '../exits.ts';
import type { Resolve } from '../names/resolve-name.ts';

/** Opens exits with the given settings. The defaults allow only public addresses, without a proxy. */
export function openTestExits(settings: Partial<ExitSettings> = {}, resolve?: Resolve): Exits {
  const none: ExitSettings = {
    EGRESS_ALLOW: [],
    EGRESS_CONNECT_TO: [],
    EGRESS_PROXIES: [],
    EGRESS_DEFAULT: 'direct',
    RENDER_PROXY: undefined,
  };
  return openExits({ ...none, ...settings }, { resolve });
}
