import ipaddr from 'ipaddr.js';

/** A range of IP addresses: its first address and the length of its prefix in bits, as `ipaddr.js` reads it. */
export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads a range in CIDR notation, or a single address. */
export function addressRange(text: string): AddressRange {
  try {
    return ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`);
  } catch (error) {
    throw new Error(`must be a list of address ranges such as 10.0.0.0/8, but contains ${text}`, { cause: error });
  }
}
