import { isIP } from 'node:net';
import { type Exits, openExits } from './exits.ts';
import { addressRefusal, type HostRefusal } from './guard/address-guard.ts';
import { direct } from './proxies/proxy-server.ts';

/**
 * Opens the exits of test keys, which lead to the lab and nowhere else. All host names connect to the lab. The guard
 * refuses the names of this machine, such as that of the lab's control pages, and all literal addresses.
 *
 * @param lab The lab, whose origin may change when it restarts.
 * @param hostRefusal Which hosts are blocked.
 */
export function openLabExits(lab: { readonly origin: URL }, hostRefusal?: HostRefusal): Exits {
  const redirection = {
    pattern: '*',
    get origin() {
      return lab.origin;
    },
  };
  const settings = {
    EGRESS_ALLOW: [],
    EGRESS_CONNECT_TO: [redirection],
    EGRESS_PROXIES: [],
    EGRESS_DEFAULT: direct,
    RENDER_PROXY: undefined,
  };
  return openExits(settings, { hostRefusal: (host) => literalRefusal(host) ?? hostRefusal?.(host) });
}

/** Returns the error for a literal address: connections to addresses are never redirected, so it is not in the lab. */
function literalRefusal(host: string) {
  if (isIP(host) === 0) return undefined;
  return addressRefusal(`${host} is an address. Test keys reach only the hosts of the lab, by name.`);
}
