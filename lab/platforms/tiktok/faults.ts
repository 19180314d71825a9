import { hang } from '../../cdn/body.ts';
import { type Exchange, sendBytes, sendText } from '../../http/exchange.ts';

/** Ways in which any page goes wrong: the word is a user's name in its address, or the code of a short link. */
export const pageFaults = {
  'lab-http429': { about: 'answers 429' },
  'lab-http503': { about: 'answers 503' },
  'lab-is-json': { about: 'answers 200 with JSON' },
  'lab-is-void': { about: 'answers 200 with an empty body' },
  'lab-is-half': { about: 'answers a page that breaks off inside its data' },
  'lab-is-huge': { about: 'answers a page of 50 MB' },
  'lab-is-deep': { about: 'answers data that are nested 100000 deep' },
  'lab-is-slow': { about: 'never answers' },
  'lab-is-loop': { about: 'redirects to itself' },
  'lab-is-away': { about: 'redirects to another site' },
  'lab-is-home': { about: 'redirects to an internal address' },
} as const;

/** A word of {@link pageFaults}. */
export type PageFault = keyof typeof pageFaults;

const html = { 'content-type': 'text/html; charset=utf-8' };
const opening = '<html><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">{"__DEFAULT_SCOPE__":';
const hugeBytes = 50 * 1024 * 1024;
const depth = 100_000;

/** The fault that a name stands for. */
export function faultOf(name: string): PageFault | undefined {
  return Object.keys(pageFaults).find((word): word is PageFault => word === name);
}

/** Goes wrong. */
export function sendPageFault(exchange: Exchange, fault: PageFault): Promise<void> | void {
  const redirect = (location: string) => sendText(exchange, 302, '', { location });
  switch (fault) {
    case 'lab-http429':
      return sendText(exchange, 429, 'Too many requests.\n', { 'retry-after': '1' });
    case 'lab-http503':
      return sendText(exchange, 503, 'Service unavailable.\n');
    case 'lab-is-json':
      return sendText(exchange, 200, '{"statusCode":0}', { 'content-type': 'application/json' });
    case 'lab-is-void':
      return sendBytes(exchange, 200, Buffer.alloc(0), html);
    case 'lab-is-half':
      return sendText(exchange, 200, `${opening}{"webapp.video-detail":{"itemInfo":{"itemStruct":{"id":"75`, html);
    case 'lab-is-huge':
      return sendBytes(exchange, 200, Buffer.concat([Buffer.from(`${opening}"`), Buffer.alloc(hugeBytes, 'x')]), html);
    case 'lab-is-deep':
      return sendText(exchange, 200, `${opening}${'['.repeat(depth)}${']'.repeat(depth)}}</script>`, html);
    case 'lab-is-slow':
      return hang(exchange);
    case 'lab-is-loop':
      return redirect(exchange.url.pathname);
    case 'lab-is-away':
      return redirect('https://cdn.lab.example/media/amber-2/still-144.jpg');
    case 'lab-is-home':
      return redirect('http://169.254.169.254/latest/meta-data/');
  }
}
