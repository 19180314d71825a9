import { isIP, isIPv6 } from 'node:net';

/** Addresses of the ranges for documentation (RFC 5737, RFC 3849). */
const IPV4 = '192.0.2.1';
const IPV6 = '2001:db8::1';

/** Longest text of an IPv6 address. */
const MAX_LENGTH = 45;

/** Replaces every public IP address in a text by one for documentation. */
export function maskAddresses(text: string): string {
  return text
    .replace(/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/g, (match, at: number, whole: string) =>
      isStandalone(whole, at, match.length) && isPublicIpv4(match) ? IPV4 : match,
    )
    .replace(/[23][0-9A-Fa-f]{3}:[0-9A-Fa-f:]{3,40}/g, (match, at: number, whole: string) =>
      isStandalone(whole, at, match.length) && isPublicIpv6(match) ? IPV6 : match,
    );
}

/** Replaces all given addresses in a text, also where they are percent-encoded. */
export function maskOwnAddresses(text: string, ownAddresses: readonly string[]): string {
  return ownAddresses.filter((address) => isIP(address) !== 0).reduce(maskOwn, text);
}

/** Replaces the value of a parameter or member that contains an address, which may be percent-encoded. */
export function maskAddress(value: string): string {
  const plain = value.replace(/%(?:25)*3[Aa]/g, ':');
  if (isIPv6(plain)) {
    if (!isPublicIpv6(plain)) return value;
    const colon = /%(?:25)*3[Aa]/.exec(value)?.[0] ?? ':';
    return IPV6.replaceAll(':', colon);
  }
  const octets = octetsOf(value);
  return octets !== undefined && !isReserved(octets) ? IPV4 : value;
}

function maskOwn(text: string, address: string): string {
  const forms = new Set([address, encodeURIComponent(address), encodeURIComponent(encodeURIComponent(address))]);
  let masked = text;
  for (const form of forms) masked = masked.replaceAll(form, maskOwnForm(form));
  return masked;
}

function maskOwnForm(form: string): string {
  const colon = /%(?:25)*3[Aa]|:/.exec(form)?.[0];
  return colon === undefined ? IPV4 : IPV6.replaceAll(':', colon);
}

/** Whether a match is a whole address, and no part of a longer number, a word or a product version (`Chrome/120.…`). */
function isStandalone(text: string, at: number, length: number): boolean {
  if (/[\w.:-]$/.test(text.slice(Math.max(0, at - 1), at))) return false;
  if (/[A-Za-z]\/$/.test(text.slice(Math.max(0, at - 2), at))) return false;
  return length <= MAX_LENGTH && !/^(?:[\w-]|\.\d)/.test(text.slice(at + length, at + length + 2));
}

/**
 * Whether a text is a public address. Texts with fewer than two numbers over 9 are more likely versions or
 * coordinates.
 */
function isPublicIpv4(text: string): boolean {
  const octets = octetsOf(text);
  return octets !== undefined && octets.filter((octet) => octet > 9).length >= 2 && !isReserved(octets);
}

function octetsOf(text: string): readonly number[] | undefined {
  return isIP(text) === 4 ? text.split('.').map(Number) : undefined;
}

/** Whether an address belongs to no machine in the public network. */
function isReserved([first = 0, second = 0, third = 0]: readonly number[]): boolean {
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    first >= 224 ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 169 && second === 254) ||
    (first === 192 && (second === 168 || (second === 0 && third === 2))) ||
    (first === 198 && second === 51 && third === 100) ||
    (first === 203 && second === 0 && third === 113)
  );
}

/** Whether a text is a global unicast address (2000::/3) outside the range for documentation. */
function isPublicIpv6(text: string): boolean {
  return isIPv6(text) && /^[23][0-9a-f]{3}:/i.test(text) && !/^2001:0?db8:/i.test(text);
}
