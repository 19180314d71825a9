import { hang } from '../../cdn/body.ts';
import { type Exchange, sendBytes, sendText } from '../../http/exchange.ts';

/** Ways in which any request to the site goes wrong: the word stands anywhere in the address, or in the form sent. */
export const siteFaults = {
  labhttp429: { about: 'answers 429' },
  labhttp503: { about: 'answers 503' },
  labnotpage: { about: 'answers 200 with a web page of something else' },
  labisvoid: { about: 'answers 200 with an empty body' },
  labisjson: { about: 'answers 200 with JSON in place of a page' },
  labbroken: { about: 'a page whose script blocks hold broken JSON' },
  labisutf: { about: 'a page of bytes that are no UTF-8' },
  labishuge: { about: 'answers with 50 MB' },
  labisslow: { about: 'never answers' },
  labloops: { about: 'redirects to itself, always' },
  labaway: { about: 'redirects to another site' },
  labinside: { about: 'redirects to http://169.254.169.254/, which lies inside the network' },
} as const;

type FaultWord = keyof typeof siteFaults;

const html = { 'content-type': 'text/html; charset="utf-8"' };
const page = '<!DOCTYPE html><html><head><title>One moment</title></head><body>One moment, please.</body></html>';
const hugeBytes = 50 * 1024 * 1024;
const brokenPage =
  '<!DOCTYPE html><html><body><script type="application/json" data-sjs>' +
  '{"require":[["x",{"__bbox":{"result":{"data":{]}</script></body></html>';

/** The fault that a request asks for. */
export function faultIn({ url, body }: Pick<Exchange, 'url' | 'body'>): FaultWord | undefined {
  const text = `${url.pathname}${url.search}${body.toString()}`;
  return (Object.keys(siteFaults) as FaultWord[]).find((word) => text.includes(word));
}

/** Goes wrong. */
export function sendFault(exchange: Exchange, fault: string): Promise<void> | void {
  switch (fault as FaultWord) {
    case 'labhttp429':
      return sendText(exchange, 429, page, html);
    case 'labhttp503':
      return sendText(exchange, 503, page, html);
    case 'labnotpage':
      return sendText(exchange, 200, page, html);
    case 'labisvoid':
      return sendBytes(exchange, 200, Buffer.alloc(0), html);
    case 'labisjson':
      return sendText(exchange, 200, '{"error":null,"data":{"video":{"id":"1"}}}', {
        'content-type': 'application/json',
      });
    case 'labbroken':
      return sendText(exchange, 200, brokenPage, html);
    case 'labisutf':
      return sendBytes(exchange, 200, Buffer.from(brokenPage.replace('data', '\u00ff\u00fe\u00e9'), 'latin1'), html);
    case 'labishuge':
      return sendBytes(exchange, 200, Buffer.alloc(hugeBytes, '<p>lab</p>'), html);
    case 'labisslow':
      return hang(exchange);
    case 'labloops':
      return sendText(exchange, 302, '', { location: exchange.url.href });
    case 'labaway':
      return sendText(exchange, 302, '', { location: 'https://away.lab.example/' });
    case 'labinside':
      return sendText(exchange, 302, '', { location: 'http://169.254.169.254/latest/meta-data/' });
  }
}
