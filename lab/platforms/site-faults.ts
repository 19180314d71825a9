import type { OutgoingHttpHeaders } from 'node:http';
import { hang } from '../cdn/body.ts';
import { type Exchange, sendBytes, sendFilled, sendText } from '../http/exchange.ts';

/** Fault of any request to a site; each site has its own words for its faults. */
export interface SiteFault {
  readonly about: string;
  readonly send: (exchange: Exchange) => Promise<void> | void;
}

/** Faults of a site, by its words for them. */
export type SiteFaults = Readonly<Record<string, SiteFault>>;

/** Returns the fault whose word occurs in a text. */
export function faultWithin(text: string, faults: SiteFaults): SiteFault | undefined {
  return Object.entries(faults).find(([word]) => text.includes(word))?.[1];
}

/** Makes a fault that returns 200 with an unrelated response. */
export function respondsWith(about: string, text: string, headers: OutgoingHttpHeaders): SiteFault {
  return { about, send: (exchange) => sendText(exchange, 200, text, headers) };
}

/** Makes a fault that returns 200 with bytes that are made on request. */
export function sends(about: string, make: () => Buffer, headers: OutgoingHttpHeaders): SiteFault {
  return { about, send: (exchange) => sendBytes(exchange, 200, make(), headers) };
}

/** Bytes of a response that is larger than any that a site sends. */
export const hugeBytes = 64 * 1024 * 1024;

/** Makes a fault that returns 200 with {@link hugeBytes}: `start`, and `filler` until the end. */
export function sendsHuge(start: string, filler: string, headers: OutgoingHttpHeaders): SiteFault {
  const content = { start, filler, size: hugeBytes };
  return { about: 'returns 64 MB', send: (exchange) => sendFilled(exchange, content, headers) };
}

/** Makes a fault that returns 429; `seconds` is the value of Retry-After. */
export function throttle(seconds = 1): SiteFault {
  const headers = { 'retry-after': String(seconds) };
  return { about: 'returns 429', send: (exchange) => sendText(exchange, 429, 'Too many requests.\n', headers) };
}

/** Returns 503. */
export const down: SiteFault = {
  about: 'returns 503',
  send: (exchange) => sendText(exchange, 503, 'Service unavailable.\n'),
};

/** Makes a fault that returns an empty body with the type in the given headers. */
export function empty(headers: OutgoingHttpHeaders): SiteFault {
  return sends('returns 200 with an empty body', () => Buffer.alloc(0), headers);
}

/** Never responds. */
export const silent: SiteFault = { about: 'never responds', send: hang };

/** Makes a fault that redirects every request. */
export function redirects(about: string, to: (exchange: Exchange) => string): SiteFault {
  return { about, send: (exchange) => redirect(exchange, to(exchange)) };
}

/** Redirects the client to the same address. */
export const looping = redirects('redirects to itself, always', ({ url }) => url.href);

/** Redirects the client to an address that a service must not request. */
export const inside = redirects(
  'redirects to http://169.254.169.254/, which is inside the network',
  () => 'http://169.254.169.254/latest/meta-data/',
);

/** Redirects the client to another address. */
export function redirect(exchange: Exchange, location: string): void {
  sendText(exchange, 302, '', { location });
}

/** Returns nested brackets, deeper than most parsers support. */
export function deeplyNested(): string {
  const depth = 100_000;
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}
