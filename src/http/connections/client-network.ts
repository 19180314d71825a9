import { BlockList, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Number of leading 16-bit groups that identify a network: one customer gets a /64 (RFC 6177) and can use any address
 * in it.
 */
const NETWORK_PARTS = 4;

/** Returns the network that one client can connect from: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (!(ip instanceof ipaddr.IPv6)) return ip.toString();
  const network = ip.parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/${NETWORK_PARTS * 16}`;
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
