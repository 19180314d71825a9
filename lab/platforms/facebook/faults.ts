import { type Exchange, sendText } from '../../http/exchange.ts';
import {
  empty,
  faultWithin,
  inside,
  looping,
  redirects,
  respondsWith,
  type SiteFault,
  type SiteFaults,
  sends,
  sendsHuge,
  silent,
} from '../site-faults.ts';

const html = { 'content-type': 'text/html; charset="utf-8"' };
const page = '<!DOCTYPE html><html><head><title>One moment</title></head><body>One moment, please.</body></html>';
const brokenPage =
  '<!DOCTYPE html><html><body><script type="application/json" data-sjs>' +
  '{"require":[["x",{"__bbox":{"result":{"data":{]}</script></body></html>';
const notUtf8 = () => Buffer.from(brokenPage.replace('data', '\u00ff\u00fe\u00e9'), 'latin1');

/** Refuses requests with an error page, as the site does. */
const refuses = (status: number): SiteFault => ({
  about: `returns ${status}`,
  send: (exchange) => sendText(exchange, status, page, html),
});

/**
 * Faults of any request to the site, by the word that causes them. The word may be anywhere in the address or in the
 * posted form.
 */
export const siteFaults = {
  labhttp429: refuses(429),
  labhttp503: refuses(503),
  labnotpage: respondsWith('returns 200 with an unrelated web page', page, html),
  labisvoid: empty(html),
  labisjson: respondsWith('returns 200 with JSON instead of a page', '{"error":null,"data":{"video":{"id":"1"}}}', {
    'content-type': 'application/json',
  }),
  labbroken: respondsWith('returns a page whose script blocks contain broken JSON', brokenPage, html),
  labisutf: sends('returns a page that is not valid UTF-8', notUtf8, html),
  labishuge: sendsHuge('', '<p>lab</p>', html),
  labisslow: silent,
  labloops: looping,
  labaway: redirects('redirects to another site', () => 'https://away.lab.example/'),
  labinside: inside,
} satisfies SiteFaults;

/** Returns the fault that a request names. */
export function faultIn({ url, body }: Pick<Exchange, 'url' | 'body'>): SiteFault | undefined {
  return faultWithin(`${url.pathname}${url.search}${body.toString()}`, siteFaults);
}
