import { mask } from './mask.ts';
import { maskOwnAddresses } from './mask-addresses.ts';
import type { RecordedExchange, RecordedHeaders } from './recorded-exchange.ts';
import { scrubText } from './scrub-text.ts';
import { isSecretName, secretHeaders } from './secret-names.ts';
import { createVisitValues, type VisitValues } from './visit-values.ts';

/**
 * Removes from an exchange what identifies this machine or its visit: cookies, visitor IDs, tokens, signatures of links
 * and addresses. Each value is replaced by a constant that parsers read in the same way.
 *
 * @param ownAddresses IP addresses of this machine, which are replaced wherever they stand.
 * @param visit The secrets of earlier exchanges of the same visit. A later request may send them without their names.
 */
export function scrubExchange(
  { source, request, response }: RecordedExchange,
  ownAddresses: readonly string[] = [],
  visit: VisitValues = createVisitValues(),
): RecordedExchange {
  const scrubbed = {
    request: {
      method: request.method,
      url: scrubText(request.url, visit),
      headers: scrubHeaders(request.headers, visit),
      body: mapTexts(request.body, (text) => scrubText(text, visit)),
    },
    response: {
      status: response.status,
      headers: scrubHeaders(response.headers, visit),
      body: mapTexts(response.body, (text) => scrubText(text, visit)),
    },
  };
  // A second pass, because a value may occur before its name, or without it.
  const { request: sent, response: received } = scrubbed;
  const masked = (text: string) => maskOwnAddresses(visit.mask(text), ownAddresses);
  return {
    source,
    request: {
      ...sent,
      url: masked(sent.url),
      headers: mapHeaders(sent.headers, masked),
      body: mapTexts(sent.body, masked),
    },
    response: { ...received, headers: mapHeaders(received.headers, masked), body: mapTexts(received.body, masked) },
  };
}

/** Changes a body, as the text of its JSON if it is a value. The change keeps quotes and escapes, so the JSON stays valid. */
function mapTexts(body: unknown, change: (text: string) => string): unknown {
  if (typeof body === 'string') return change(body);
  if (body === null || typeof body !== 'object') return body;
  return JSON.parse(change(JSON.stringify(body)));
}

function mapHeaders(headers: RecordedHeaders, change: (value: string, name: string) => string): RecordedHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values.map((value) => change(value, name.toLowerCase()))]),
  );
}

function scrubHeaders(headers: RecordedHeaders, visit: VisitValues): RecordedHeaders {
  return mapHeaders(headers, (value, name) => {
    if (name === 'cookie')
      return value
        .split(';')
        .map((cookie) => scrubCookie(cookie, visit))
        .join(';');
    if (name === 'set-cookie') {
      const [cookie = '', ...attributes] = value.split(';');
      return [scrubCookie(cookie, visit), ...attributes].join(';');
    }
    return secretHeaders.has(name) || isSecretName(name) ? mask(value) : scrubText(value, visit);
  });
}

/** Replaces the value of a cookie, which follows its name. */
function scrubCookie(cookie: string, visit: VisitValues): string {
  const start = cookie.indexOf('=') + 1;
  const value = cookie.slice(start);
  visit.add(value);
  return `${cookie.slice(0, start)}${mask(value)}`;
}
