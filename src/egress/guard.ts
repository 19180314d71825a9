import ipaddr from 'ipaddr.js';
import type { AddressRange } from '../config.ts';
import { MillraceError } from '../contract/errors.ts';

/** Decides which addresses the service may connect to. */
export interface AddressGuard {
  /** Whether a literal IP address is public, or let through by the operator. */
  permits(address: string): boolean;
  /** @throws MillraceError `address_refused` for a URL that no connection may be made for, whatever its name resolves to. */
  checkUrl(url: URL): void;
}

/** Names that mean this machine or its network and never a public host (RFC 6761, RFC 6762, RFC 8375). */
const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

/**
 * What may be an address: every spelling of one has a colon, or a last label that begins with a digit, as no name of a
 * host has. Anything else is told by an exception inside the library, a tenth of a millisecond for each address.
 */
const addressLike = /:|(?:^|\.)\d[^.]*$/;

/** Makes a guard that lets through public unicast addresses and the `allowed` ranges. */
export function createGuard(allowed: readonly AddressRange[]): AddressGuard {
  const permits = (text: string) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return isAllowed(address, allowed) || isPublic(address);
  };
  return {
    permits,
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw refused(`Only http and https addresses are fetched, not ${url.protocol}`);
      }
      const host = hostOf(url);
      if (localNames.test(host)) throw refused(`${host} is a name of the local network, which is never fetched.`);
      if (addressLike.test(host) && ipaddr.isValid(host) && !permits(host)) {
        throw refused(`${host} is not a public address; it is not fetched.`);
      }
    },
  };
}

/** A URL's host without brackets and trailing dots. The URL parser has turned every other spelling into this one. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}

/** The error for an address that is never connected to. */
export function refused(message: string): MillraceError {
  return new MillraceError('address_refused', message);
}

function isAllowed(address: ipaddr.IPv4 | ipaddr.IPv6, allowed: readonly AddressRange[]): boolean {
  return allowed.some(([range, bits]) => address.kind() === range.kind() && address.match([range, bits]));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const range = address.range();
  if (range === 'unicast') return true;
  // NAT64 (RFC 6052): on an IPv6-only host every public IPv4 host is reached like this; what counts is the IPv4 address.
  if (range === 'rfc6052' && address instanceof ipaddr.IPv6) {
    return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return false;
}
