import type { OutgoingHttpHeaders } from 'node:http';
import { hang } from '../cdn/body.ts';
import { type Exchange, sendBytes, sendText } from '../http/exchange.ts';

/** A way in which any request to a site goes wrong; each site has words of its own for those that it has. */
export interface SiteFault {
  readonly about: string;
  readonly send: (exchange: Exchange) => Promise<void> | void;
}

/** The faults of a site, by its words for them. */
export type SiteFaults = Readonly<Record<string, SiteFault>>;

/** The fault whose word stands in a text. */
export function faultWithin(text: string, faults: SiteFaults): SiteFault | undefined {
  return Object.entries(faults).find(([word]) => text.includes(word))?.[1];
}

/** Answers 200 with what is none of the answers that are asked for. */
export function respondsWith(about: string, text: string, headers: OutgoingHttpHeaders): SiteFault {
  return { about, send: (exchange) => sendText(exchange, 200, text, headers) };
}

/** Answers 200 with many bytes, made when they are asked for. */
export function streams(about: string, make: () => Buffer, headers: OutgoingHttpHeaders): SiteFault {
  return { about, send: (exchange) => sendBytes(exchange, 200, make(), headers) };
}

/** Answers 429; `seconds` is when to come back. */
export function throttle(seconds = 1): SiteFault {
  const headers = { 'retry-after': String(seconds) };
  return { about: 'answers 429', send: (exchange) => sendText(exchange, 429, 'Too many requests.\n', headers) };
}

/** Answers 503. */
export const down: SiteFault = {
  about: 'answers 503',
  send: (exchange) => sendText(exchange, 503, 'Service unavailable.\n'),
};

/** Answers with nothing, of a type. */
export function empty(headers: OutgoingHttpHeaders): SiteFault {
  return streams('answers 200 with an empty body', () => Buffer.alloc(0), headers);
}

/** Never answers. */
export const silent: SiteFault = { about: 'never answers', send: hang };

/** Sends the client elsewhere, always. */
export function redirects(about: string, to: (exchange: Exchange) => string): SiteFault {
  return { about, send: (exchange) => redirect(exchange, to(exchange)) };
}

/** Sends the client to where it is. */
export const looping = redirects('redirects to itself, always', ({ url }) => url.href);

/** Sends the client to an address that a service must not ask. */
export const inside = redirects(
  'redirects to http://169.254.169.254/, which lies inside the network',
  () => 'http://169.254.169.254/latest/meta-data/',
);

/** Sends the client elsewhere. */
export function redirect(exchange: Exchange, location: string): void {
  sendText(exchange, 302, '', { location });
}

/** Brackets within brackets, deeper than most parsers go. */
export function deeplyNested(): string {
  const depth = 100_000;
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}
