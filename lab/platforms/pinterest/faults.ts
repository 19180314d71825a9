import { hang } from '../../cdn/body.ts';
import { type Exchange, sendBytes, sendText } from '../../http/exchange.ts';

/** Ways in which any request to the site goes wrong. */
export const faults = {
  throttled: { about: 'answers 429' },
  down: { about: 'answers 503' },
  challenged: { about: 'answers 403 with a web page that checks the browser' },
  checking: { about: 'answers 200 with a web page that checks the browser' },
  moved: { about: 'answers 404 with a web page' },
  empty: { about: 'answers 200 with an empty body' },
  half: { about: 'answers with the first half of what it would have said' },
  huge: { about: 'answers with 50 MB' },
  silent: { about: 'never answers' },
  dropped: { about: 'drops the connection' },
  looping: { about: 'redirects to itself, always' },
  astray: { about: 'redirects to another site' },
  inside: { about: 'redirects to http://169.254.169.254/, which lies inside the network' },
} as const;

export type Fault = keyof typeof faults;

const html = { 'content-type': 'text/html; charset=utf-8' };
const check =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser.</body></html>';
const hugeBytes = 50 * 1024 * 1024;

/** Goes wrong; `whole` is what would have been answered, and of which type. */
export function sendFault(
  exchange: Exchange,
  fault: Fault,
  whole: { readonly text: string; readonly type: string },
): Promise<void> | void {
  const type = { 'content-type': whole.type };
  switch (fault) {
    case 'throttled':
      return sendText(exchange, 429, 'Too many requests.\n', { 'retry-after': '1' });
    case 'down':
      return sendText(exchange, 503, 'Service unavailable.\n');
    case 'challenged':
      return sendText(exchange, 403, check, html);
    case 'checking':
      return sendText(exchange, 200, check, html);
    case 'moved':
      return sendText(exchange, 404, '<!DOCTYPE html><html><body>Not here.</body></html>', html);
    case 'empty':
      return sendBytes(exchange, 200, Buffer.alloc(0), type);
    case 'half':
      return sendText(exchange, 200, whole.text.slice(0, whole.text.length / 2), type);
    case 'huge':
      return sendBytes(exchange, 200, Buffer.alloc(hugeBytes, ' '), type);
    case 'silent':
      return hang(exchange);
    case 'dropped':
      exchange.response.destroy();
      return;
    case 'looping':
      return redirect(exchange, exchange.url.href);
    case 'astray':
      return redirect(exchange, 'https://elsewhere.lab.example/');
    case 'inside':
      return redirect(exchange, 'http://169.254.169.254/latest/meta-data/');
  }
}

/** Sends the client elsewhere. */
export function redirect(exchange: Exchange, location: string): void {
  sendText(exchange, 302, '', { location });
}
