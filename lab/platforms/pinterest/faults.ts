import { type Exchange, sendBytes, sendText } from '../../http/exchange.ts';
import { down, inside, looping, redirects, respondsWith, type SiteFault, silent, throttle } from '../site-faults.ts';

/** What would have been answered, and of which type. */
interface Whole {
  readonly text: string;
  readonly type: string;
}

/** A fault that may depend on what it spoils. */
interface BodyFault {
  readonly about: string;
  readonly send: (exchange: Exchange, whole: Whole) => Promise<void> | void;
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const check =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser.</body></html>';
const hugeBytes = 50 * 1024 * 1024;

/** Refuses with a page. */
const refuses = (about: string, status: number, text: string): SiteFault => ({
  about,
  send: (exchange) => sendText(exchange, status, text, html),
});

/** Sends other bytes than those of the answer, of its type. */
const spoils = (about: string, bytes: (text: string) => Buffer): BodyFault => ({
  about,
  send: (exchange, { text, type }) => sendBytes(exchange, 200, bytes(text), { 'content-type': type }),
});

/** Ways in which any request to the site goes wrong. */
export const faults = {
  throttled: throttle(),
  down,
  challenged: refuses('answers 403 with a web page that checks the browser', 403, check),
  checking: respondsWith('answers 200 with a web page that checks the browser', check, html),
  moved: refuses('answers 404 with a web page', 404, '<!DOCTYPE html><html><body>Not here.</body></html>'),
  empty: spoils('answers 200 with an empty body', () => Buffer.alloc(0)),
  half: spoils('answers with the first half of what it would have said', (text) =>
    Buffer.from(text.slice(0, text.length / 2)),
  ),
  huge: spoils('answers with 50 MB', () => Buffer.alloc(hugeBytes, ' ')),
  silent,
  dropped: { about: 'drops the connection', send: ({ response }) => void response.destroy() },
  looping,
  astray: redirects('redirects to another site', () => 'https://elsewhere.lab.example/'),
  inside,
} as const satisfies Record<string, BodyFault>;

/** A name of {@link faults}. */
export type Fault = keyof typeof faults;
