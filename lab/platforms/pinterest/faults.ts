import { type Exchange, sendBytes, sendFilled, sendText } from '../../http/exchange.ts';
import {
  down,
  hugeBytes,
  inside,
  looping,
  redirects,
  respondsWith,
  type SiteFault,
  silent,
  throttle,
} from '../site-faults.ts';

/** Response that the fault replaces, and its type. */
interface Whole {
  readonly text: string;
  readonly type: string;
}

/** Fault that may depend on the response that it replaces. */
interface BodyFault {
  readonly about: string;
  readonly send: (exchange: Exchange, whole: Whole) => Promise<void> | void;
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const check =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser.</body></html>';

/** Refuses requests with a web page. */
const refuses = (about: string, status: number, text: string): SiteFault => ({
  about,
  send: (exchange) => sendText(exchange, status, text, html),
});

/** Sends other bytes instead of the response, with the same type. */
const spoils = (about: string, bytes: (text: string) => Buffer): BodyFault => ({
  about,
  send: (exchange, { text, type }) => sendBytes(exchange, 200, bytes(text), { 'content-type': type }),
});

/** Faults of any request to the site. */
export const faults = {
  throttled: throttle(),
  down,
  challenged: refuses('returns 403 with a web page that checks the browser', 403, check),
  checking: respondsWith('returns 200 with a web page that checks the browser', check, html),
  moved: refuses('returns 404 with a web page', 404, '<!DOCTYPE html><html><body>Not here.</body></html>'),
  empty: spoils('returns 200 with an empty body', () => Buffer.alloc(0)),
  half: spoils('returns the first half of its response', (text) => Buffer.from(text.slice(0, text.length / 2))),
  huge: {
    about: 'returns 64 MB',
    send: (exchange, { type }) =>
      sendFilled(exchange, { start: '', filler: ' ', size: hugeBytes }, { 'content-type': type }),
  },
  silent,
  dropped: { about: 'drops the connection', send: ({ response }) => void response.destroy() },
  looping,
  astray: redirects('redirects to another site', () => 'https://elsewhere.lab.example/'),
  inside,
} as const satisfies Record<string, BodyFault>;

/** Name of one of the {@link faults}. */
export type Fault = keyof typeof faults;
