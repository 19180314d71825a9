import { hang } from '../../cdn/body.ts';
import { type Exchange, sendBytes, sendText } from '../../http/exchange.ts';
import { codeOf } from './world/codes.ts';

/** Ways in which any question to the site goes wrong: the word is a post's code, or stands in an account's name. */
export const siteFaults = {
  'lab-http429': { about: 'answers 429' },
  'lab-http503': { about: 'answers 503' },
  'lab-is-html': { about: 'answers 200 with a web page that is none of the site' },
  'lab-is-void': { about: 'answers 200 with an empty body' },
  'lab-is-half': { about: 'answers a page or JSON that breaks off' },
  'lab-is-huge': { about: 'answers a page of 50 MB' },
  'lab-is-slow': { about: 'never answers' },
} as const;

export type FaultWord = keyof typeof siteFaults;

const html = { 'content-type': 'text/html; charset="utf-8"' };
const half =
  '<!DOCTYPE html><script type="application/json" data-sjs>{"require":[["ScheduledServerJS","handle",null,[{"__bbox":' +
  '{"result":{"data":{"xig_polaris_media":{"code":"lab-is-half","if_not_gat';
const hugeBytes = 50 * 1024 * 1024;

/** The fault that a question asks for, by its address and form; names of accounts have dots for dashes. */
export function faultIn(exchange: Exchange): FaultWord | undefined {
  const { url, body } = exchange;
  const text = decodeURIComponent(
    `${url.pathname}${url.search} ${body.toString('latin1')}`.replace(/%(?![\da-f]{2})/gi, ''),
  );
  const numbers = text.match(/\d{15,25}/g) ?? [];
  const asked = [text.replaceAll('.', '-'), ...numbers.map(codeOf)].join(' ');
  return (Object.keys(siteFaults) as FaultWord[]).find((word) => asked.includes(word));
}

/** Goes wrong. */
export function sendFault(exchange: Exchange, fault: FaultWord): Promise<void> | void {
  switch (fault) {
    case 'lab-http429':
      return sendText(exchange, 429, 'Too many requests.\n', { 'retry-after': '60' });
    case 'lab-http503':
      return sendText(exchange, 503, 'Service unavailable.\n');
    case 'lab-is-html':
      return sendText(exchange, 200, '<!DOCTYPE html><title>One moment</title><p>Just a moment…', html);
    case 'lab-is-void':
      return sendBytes(exchange, 200, Buffer.alloc(0), html);
    case 'lab-is-half':
      return sendText(exchange, 200, half, html);
    case 'lab-is-huge':
      return sendBytes(exchange, 200, Buffer.alloc(hugeBytes, '<p>lab</p>'), html);
    case 'lab-is-slow':
      return hang(exchange);
  }
}
