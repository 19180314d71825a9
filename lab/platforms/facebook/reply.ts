import { type Exchange, type Handler, sendText } from '../../http/exchange.ts';
import type { SiteFault } from '../site-faults.ts';
import { sitePage } from './page.ts';

/** Response of the site to a request: a page, a redirect, or a fault. */
export type Reply =
  | { readonly page: string; readonly status?: number }
  | { readonly location: string }
  | { readonly fault: SiteFault };

const html = { 'content-type': 'text/html; charset="utf-8"' };

/** Makes a handler from a function that returns replies. */
export function replyHandler(reply: (exchange: Exchange) => Reply): Handler {
  return (exchange) => {
    const replyTo = reply(exchange);
    if ('fault' in replyTo) return replyTo.fault.send(exchange);
    if ('location' in replyTo) return sendText(exchange, 302, '', { location: replyTo.location });
    sendText(exchange, replyTo.status ?? 200, replyTo.page, html);
  };
}

/** The sign-in wall that the site sends instead of pages for members only, or after too many requests. */
export const wall: Reply = {
  page:
    '<!DOCTYPE html><html lang="en" id="facebook"><head><title id="pageTitle">Facebook</title>' +
    '<meta property="og:title" content="Log in or sign up to view" /></head><body>' +
    '<form id="login_form" action="/login/device-based/regular/login/" method="post"></form></body></html>',
};

/** Returns the page for content that is deleted, private or non-existent. */
export function missingPage({ host, url }: Exchange): Reply {
  const root = 'CometErrorRoot.react';
  return { page: sitePage({ host, path: url.pathname, title: 'Facebook', results: [], root }) };
}

/** Returns a page that arrived without its data. Like all pages for guests, it contains the sign-in form. */
export function emptyPage(path: string): Reply {
  const route = { initialRouteInfo: { route: { rootView: { resource: { __dr: 'LabRoot.react' }, props: {} } } } };
  return {
    page:
      `<!DOCTYPE html><html><head><link rel="canonical" href="https://www.facebook.com${path}" /></head><body>` +
      '<form id="login_form" action="/login/device-based/regular/login/" method="post"></form>' +
      `<script type="application/json" data-sjs>${JSON.stringify(route)}</script></body></html>`,
  };
}
