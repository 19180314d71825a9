/**
 * Headers that may go to another host than the one they were meant for: they say what is wanted and whence, and nothing
 * that proves who asks. Cookies, authorization and headers we do not know (which may be tokens) stay behind.
 */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'origin',
  'range',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'upgrade-insecure-requests',
  'user-agent',
]);

/** Those of the headers that may follow to another host. */
export function headersForOtherHost(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name.toLowerCase())));
}
