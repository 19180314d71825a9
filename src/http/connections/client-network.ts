import { BlockList, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The networks that one client may have, smallest first, by which everything that limits clients counts them: an IPv4
 * address; or the /64, the /56 and the /48 networks that contain an IPv6 address. A device uses any address of a /64, and
 * a subscriber gets a /56 or a /48 (RFC 6177 §2; RIPE-690 §4.2, 2017).
 */
export type ClientNetworks = readonly [string, ...string[]];

/** Lengths of the prefixes of {@link ClientNetworks}. */
const PREFIX_BITS = [64, 56, 48] as const;
/** How many times as much as the network before it a network can have, because other clients may share it. */
const TIER_FACTOR = 4;

/** Returns the networks that a client may have. A text that is no address is a network. */
export function clientNetworks(address: string): ClientNetworks {
  if (!ipaddr.isValid(address)) return [address];
  const ip = ipaddr.process(address);
  if (!(ip instanceof ipaddr.IPv6)) return [ip.toString()];
  const { parts } = ip;
  const [first, ...wider] = PREFIX_BITS;
  return [networkOf(parts, first), ...wider.map((bits) => networkOf(parts, bits))];
}

/** Returns a network as text, such as `2001:db8:1:200::/56`. */
function networkOf(parts: readonly number[], bits: number): string {
  const groups = parts.slice(0, Math.ceil(bits / 16)).map((part, index) => {
    const used = Math.min(16, bits - index * 16);
    return (part & (0xffff << (16 - used))).toString(16);
  });
  return `${groups.join(':')}::/${bits}`;
}

/**
 * Returns the limit of one of the networks of a client.
 *
 * @param limit Limit of the smallest network.
 * @param tier Index in {@link ClientNetworks}.
 * @param most What a wider network can have at most, unless that is less than the smallest one can have.
 */
export function tierLimit(limit: number, tier: number, most = Number.POSITIVE_INFINITY): number {
  return Math.min(limit * TIER_FACTOR ** tier, Math.max(limit, most));
}

/** Creates a function that returns whether an address is in one of the ranges (`10.0.0.0/8`, `::1`). */
export function createRangeMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => ipaddr.isValid(address) && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
