import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendJson, sendText } from '../../http/exchange.ts';
import { redirect } from '../site-faults.ts';
import { imageOf } from './addresses.ts';
import { type Fault, faults } from './faults.ts';
import { notFoundPage, otherPage, type PageParts, pageOf } from './page.ts';
import { rolesOf } from './people.ts';
import { findPin, type Pin } from './pins.ts';
import { resourceRefusal, resourceResponse } from './rest.ts';
import type { Json } from './rest-items.ts';
import { documentedId, shortLinks } from './scenarios.ts';

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** Cookies that every visitor receives, and that nothing requires. */
const cookies = [
  'csrftoken=1f0e1b0a4b3f4a6a8f1e7c2d9b8a7c6d; Path=/; Secure; SameSite=Lax',
  '_pinterest_sess=TWc9PQ; Path=/; Secure; HttpOnly; Domain=.pinterest.com',
  '_routing_id="0d3c1e5f-1111-4222-8333-444455556666"; Path=/; HttpOnly',
];

/** Handles the site itself, at its main host and at the hosts of countries. */
export function siteHandler({ tokens }: CdnTools): Handler {
  return (exchange) => {
    const { pathname } = exchange.url;
    if (pathname === '/resource/PinResource/get/') return answerResource(exchange);
    if (pathname === '/oembed.json') return answerOembed(exchange);
    const id = /^\/pin\/(?:[^/]*--)?(\d{5,25})\/(?:sent\/)?$/.exec(pathname)?.[1];
    if (id !== undefined) {
      const visits = tokens.touch(`pin page ${id}`);
      return answerPage(exchange, id, visits.requests % 2 === 0);
    }
    if (pathname === '/') return sendPage(exchange, otherPage('Welcome'));
    return /^\/(?:login|signup)\/$/.test(pathname) ? sendPage(exchange, otherPage('Log in')) : notFound(exchange);
  };
}

/** Handles `pin.it` and the interface behind it: short links. */
export const shortLinkHandler: Handler = (exchange) => {
  const { host, url } = exchange;
  const form = host === 'pin.it' ? /^\/(\w+)\/?$/ : /^\/url_shortener\/(\w+)\/redirect\/$/;
  const code = form.exec(url.pathname)?.[1] ?? '';
  if (host === 'pin.it') return redirect(exchange, `https://api.pinterest.com/url_shortener/${code}/redirect/`);
  const { location, status = 404 } = (Object.hasOwn(shortLinks, code) ? shortLinks[code] : undefined) ?? {};
  if (location === undefined) return sendText(exchange, status, 'No such link.\n');
  redirect(exchange, new URL(location, 'https://www.pinterest.com').href);
};

function answerResource(exchange: Exchange): Promise<void> | void {
  const { host, url, request } = exchange;
  const { id, fieldSet } = readOptions(url.searchParams.get('data') ?? '');
  const refuse = (status: number, code: number, words: string) =>
    sendJson(exchange, status, resourceRefusal(id, status, code, words));
  if (request.headers['x-pinterest-pws-handler'] === undefined) return refuse(403, 403, 'Invalid Resource Request');
  const pin = findPin(id);
  const { resource } = pin ?? { resource: 'gone' as const };
  if (pin === undefined || resource === 'gone') return refuse(404, 50, 'Pin not found.');
  if (resource === 'signin') return refuse(401, 2, 'Authentication failed.');
  const response = resourceResponse(pin, fieldSet);
  if (resource === 'regional') {
    return host === 'www.pinterest.com'
      ? redirect(exchange, `https://de.pinterest.com${url.pathname}${url.search}`)
      : sendJson(exchange, 200, response);
  }
  if (resource !== undefined) return fail(exchange, resource, response);
  sendJson(exchange, 200, response, { 'set-cookie': cookies });
}

function answerPage(exchange: Exchange, id: string, even: boolean): Promise<void> | void {
  const pin = findPin(id);
  const { page } = pin ?? { page: 'gone' as const };
  if (pin === undefined || page === 'gone') return sendPage(exchange, notFoundPage(id));
  const whole = (parts: PageParts) => pageOf(pin, neighbourOf(pin), parts);
  switch (page) {
    case undefined:
      return sendPage(exchange, whole({ data: true, head: true }));
    case 'missing':
      return sendPage(exchange, otherPage('Oops!'), 404);
    case 'login':
      return redirect(exchange, `/login/?next=${encodeURIComponent(exchange.url.pathname)}`);
    case 'shell':
      return sendPage(exchange, whole({ data: false, head: true }));
    case 'bare':
      return sendPage(exchange, whole({ data: false, head: false }));
    case 'flaky':
      return sendPage(exchange, whole({ data: even, head: true }));
    case 'abroad':
      return redirect(exchange, `https://de.pinterest.com/pin/a-lab-pin--${documentedId(101)}/`);
    default:
      return faults[page].send(exchange, { text: whole({ data: true, head: true }), type: html });
  }
}

function answerOembed(exchange: Exchange): Promise<void> | void {
  const id = /\/pin\/(\d{5,25})\//.exec(exchange.url.searchParams.get('url') ?? '')?.[1] ?? '';
  const pin = findPin(id);
  const { oembed } = pin ?? { oembed: 'missing' as const };
  if (pin === undefined || oembed === 'missing') return sendJson(exchange, 404, { error: 'Not found' });
  const { url, width, height } = imageOf(pin, pin.cover, '236x');
  const { pinner } = rolesOf(pin);
  const response = {
    version: '1.0',
    type: 'rich',
    title: pin.title,
    author_name: pinner.name,
    author_url: `https://www.pinterest.com/${pinner.username}/`,
    provider_name: 'Pinterest',
    provider_url: 'https://www.pinterest.com',
    html: `<iframe src="https://assets.pinterest.com/ext/embed.html?id=${id}"></iframe>`,
    width: 236,
    height: 400,
    thumbnail_url: url,
    thumbnail_width: width,
    thumbnail_height: height,
  };
  if (oembed !== undefined) return fail(exchange, oembed, response);
  sendJson(exchange, 200, response);
}

function fail(exchange: Exchange, fault: Fault, response: Json): Promise<void> | void {
  return faults[fault].send(exchange, { text: JSON.stringify(response), type: json });
}

function sendPage(exchange: Exchange, text: string, status = 200): void {
  sendText(exchange, status, text, { 'content-type': html, 'set-cookie': cookies });
}

/** Returns another pin, whose data is also in the page of the requested one. */
function neighbourOf({ id }: Pin): Pin {
  const neighbour = findPin(`${id.slice(0, 20)}7`);
  if (neighbour === undefined) throw new Error(`The pin ${id} has no neighbour.`);
  return neighbour;
}

function readOptions(data: string): { readonly id: string; readonly fieldSet: string } {
  const { options = {} } = parseObject(data) as { options?: { id?: unknown; field_set_key?: unknown } };
  return { id: String(options.id ?? ''), fieldSet: String(options.field_set_key ?? '') };
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Text that is not JSON matches nothing.
    return {};
  }
}
