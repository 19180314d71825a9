import type { Exchange } from '../../http/exchange.ts';
import {
  down,
  empty,
  faultWithin,
  respondsWith,
  type SiteFault,
  type SiteFaults,
  sendsHuge,
  silent,
  throttle,
} from '../site-faults.ts';
import { codeOf } from './world/codes.ts';

const html = { 'content-type': 'text/html; charset="utf-8"' };
const half =
  '<!DOCTYPE html><script type="application/json" data-sjs>{"require":[["ScheduledServerJS","handle",null,[{"__bbox":' +
  '{"result":{"data":{"xig_polaris_media":{"code":"lab-is-half","if_not_gat';
const other = '<!DOCTYPE html><title>One moment</title><p>Just a moment…';

/** Faults that any request can have. The key is the code of a post, or part of an account name. */
export const siteFaults: SiteFaults = {
  'lab-http429': throttle(60),
  'lab-http503': down,
  'lab-is-html': respondsWith('returns 200 with a web page of another site', other, html),
  'lab-is-void': empty(html),
  'lab-is-half': respondsWith('returns truncated JSON or a truncated page', half, html),
  'lab-is-huge': sendsHuge('', '<p>lab</p>', html),
  'lab-is-slow': silent,
};

/** Returns the fault that the address or form of a request names. Account names have dots instead of dashes. */
export function faultIn({ url, body }: Exchange): SiteFault | undefined {
  const text = decodeURIComponent(
    `${url.pathname}${url.search} ${body.toString('latin1')}`.replace(/%(?![\da-f]{2})/gi, ''),
  );
  const numbers = text.match(/\d{15,25}/g) ?? [];
  const searchText = [text.replaceAll('.', '-'), ...numbers.map(codeOf)].join(' ');
  return faultWithin(searchText, siteFaults);
}
