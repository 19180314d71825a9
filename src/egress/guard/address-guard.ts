import ipaddr from 'ipaddr.js';
import { MillraceError } from '../../contract/errors.ts';
import { trimTrailing } from '../../contract/trim-trailing.ts';
import type { AddressRange } from '../../settings/address-range.ts';
import { effectiveAddress, isMetadataService, isPublic, isWithin } from './special-addresses.ts';

/** Decides which addresses the service may connect to. */
export interface AddressGuard {
  /** Whether a literal IP address is public, or allowed by the operator. */
  permits(address: string): boolean;
  /** @throws MillraceError `address_refused` for a URL that is refused whatever its name resolves to. */
  checkUrl(url: URL): void;
}

/** Names that mean this machine or its network and never a public host (RFC 6761, RFC 6762, RFC 8375). */
const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

/**
 * Matches what may be an address: every spelling of one has a colon, or a last label that begins with a digit, unlike any
 * host name. The library detects anything else by an exception, which takes a tenth of a millisecond.
 */
const addressLike = /:|(?:^|\.)\d[^.]*$/;

/** Longest host name, in characters without the trailing dot of the root (RFC 1035 §2.3.4: 255 bytes on the wire). */
const MAX_HOST_LENGTH = 253;

/** An IPv4-compatible IPv6 address (deprecated by RFC 4291 §2.5.5.1), which the library treats as an IPv4-mapped one. */
const ipv4Compatible = /^::\d+\./;

/**
 * Creates a guard that allows public unicast addresses and the `allowed` ranges. It allows a cloud metadata service only if
 * a range names that single address (`/32`, `/128`): an operator who allows `10.0.0.0/8` or `::/0` for a test does not
 * mean to expose the machine's credentials.
 */
export function createAddressGuard(allowedRanges: readonly AddressRange[]): AddressGuard {
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
        throw addressRefusal(`Only http and https addresses are fetched, not ${url.protocol}`);
      }
      const host = normaliseHost(url.hostname);
      if (localNames.test(host))
        throw addressRefusal(`${host} is a name of the local network, which is never fetched.`);
      if (addressLike.test(host) && ipaddr.isValid(host) && !permits(host)) {
        throw addressRefusal(`${host} is not a public address; it is not fetched.`);
      }
    },
  };
}

/**
 * The host to connect to, without brackets and trailing dots. Every connection goes through this function.
 *
 * @throws MillraceError `address_refused` for a name over 253 characters, the maximum for hosts.
 */
export function normaliseHost(hostname: string): string {
  const length = hostname.endsWith('.') ? hostname.length - 1 : hostname.length;
  if (length > MAX_HOST_LENGTH) {
    throw addressRefusal(
      `The host name is ${length} characters long; host names have at most ${MAX_HOST_LENGTH}. Check the link.`,
    );
  }
  return trimTrailing(hostname.replace(/^\[(.*)\]$/, '$1'), '.');
}

/** The error for an address that is never connected to. */
export function addressRefusal(message: string): MillraceError {
  return new MillraceError('address_refused', message);
}
