import ipaddr from 'ipaddr.js';
import { MillraceError } from '../../contract/errors.ts';
import { trimTrailing } from '../../contract/trim-trailing.ts';
import type { AddressRange } from '../../settings/address-range.ts';
import { effectiveAddress, isMetadataService, isPublic, isWithin } from './special-addresses.ts';

/** Decides which addresses the service may connect to. */
export interface AddressGuard {
  /** Whether a literal IP address is public, or allowed by the operator. */
  permits(address: string): boolean;
  /**
   * @throws MillraceError `address_refused` for a URL that is refused regardless of how its name resolves; `blocked` for
   * a host that the operator has blocked.
   */
  checkUrl(url: URL): void;
}

/** Returns the error for a host that the operator has blocked; undefined for any other. */
export type HostRefusal = (host: string) => MillraceError | undefined;

/** Names that refer to this machine or its network and never to a public host (RFC 6761, RFC 6762, RFC 8375). */
const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

/**
 * Matches every possible spelling of an address: it contains a colon, or its last label begins with a digit, unlike any
 * host name. The library rejects other text by throwing an exception, which takes a tenth of a millisecond.
 */
const addressLike = /:|(?:^|\.)\d[^.]*$/;

/** Longest host name, in characters without the trailing dot of the root (RFC 1035 §2.3.4: 255 bytes on the wire). */
const MAX_HOST_LENGTH = 253;

/** An IPv4-compatible IPv6 address (deprecated by RFC 4291 §2.5.5.1), which the library treats as an IPv4-mapped one. */
const ipv4Compatible = /^::\d+\./;

/**
 * Creates a guard that allows public unicast addresses and the `allowedRanges`. It allows a cloud metadata service only
 * if a range names that single address (`/32`, `/128`). An operator who allows `10.0.0.0/8` or `::/0` for a test does
 * not mean to expose the machine's credentials.
 *
 * @param hostRefusal Which hosts are blocked. Default: none.
 */
export function createAddressGuard(allowedRanges: readonly AddressRange[], hostRefusal?: HostRefusal): AddressGuard {
  const singleAddresses = allowedRanges.filter(([range, bits]) => bits === 8 * range.toByteArray().length);
  const permits = (text: string) => {
    if (!ipaddr.isValid(text) || ipv4Compatible.test(text)) return false;
    const literal = ipaddr.parse(text);
    const effective = effectiveAddress(literal);
    const exceptions = isMetadataService(effective) ? singleAddresses : allowedRanges;
    return isPublic(effective) || isWithin(effective, exceptions) || isWithin(literal, exceptions);
  };
  return {
    permits,
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw addressRefusal(`Only http and https links are supported, not ${url.protocol}`);
      }
      const host = normaliseHost(url.hostname);
      const refusal = hostRefusal?.(host);
      if (refusal !== undefined) throw refusal;
      if (localNames.test(host))
        throw addressRefusal(`${host} is a local network name, so Millrace does not connect to it.`);
      if (addressLike.test(host) && ipaddr.isValid(host) && !permits(host)) {
        throw addressRefusal(`${host} is not a public address, so Millrace does not connect to it.`);
      }
    },
  };
}

/**
 * Returns the host to connect to, without brackets and trailing dots. Every connection uses this function.
 *
 * @throws MillraceError `address_refused` for a name over 253 characters, the maximum for hosts.
 */
export function normaliseHost(hostname: string): string {
  const length = hostname.endsWith('.') ? hostname.length - 1 : hostname.length;
  if (length > MAX_HOST_LENGTH) {
    throw addressRefusal(`The host name has ${length} characters; the maximum is ${MAX_HOST_LENGTH}.`);
  }
  return trimTrailing(hostname.replace(/^\[(.*)\]$/, '$1'), '.');
}

/** Returns the error for an address that Millrace never connects to. */
export function addressRefusal(message: string): MillraceError {
  return new MillraceError('address_refused', message);
}
