import { type Exchange, type Handler, sendText } from '../../http/exchange.ts';
import type { SiteFault } from '../site-faults.ts';
import { sitePage } from './page.ts';

/** What the site makes of a request: a page, a way on, or a fault. */
export type Reply =
  | { readonly page: string; readonly status?: number }
  | { readonly location: string }
  | { readonly fault: SiteFault };

const html = { 'content-type': 'text/html; charset="utf-8"' };

/** Answers with what a function makes of requests. */
export function replyHandler(reply: (exchange: Exchange) => Reply): Handler {
  return (exchange) => {
    const replyTo = reply(exchange);
    if ('fault' in replyTo) return replyTo.fault.send(exchange);
    if ('location' in replyTo) return sendText(exchange, 302, '', { location: replyTo.location });
    sendText(exchange, replyTo.status ?? 200, replyTo.page, html);
  };
}

/** The page that the site sends in place of others, be it for members alone or asked for too often. */
export const wall: Reply = {
  page:
    '<!DOCTYPE html><html lang="en" id="facebook"><head><title id="pageTitle">Facebook</title>' +
    '<meta property="og:title" content="Log in or sign up to view" /></head><body>' +
    '<form id="login_form" action="/login/device-based/regular/login/" method="post"></form></body></html>',
};

/** The page of what is deleted, private or never was. */
export function missingPage({ host, url }: Exchange): Reply {
  const raw = JSON.stringify({ rootView: { resource: { __dr: 'CometErrorRoot.react' } } });
  return { page: sitePage({ host, path: url.pathname, title: 'Facebook', results: [], raw }) };
}
