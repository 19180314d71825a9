import { hang } from '../../cdn/body.ts';
import { type Exchange, sendBytes, sendText } from '../../http/exchange.ts';

/** Ways in which any question to the site goes wrong: the word stands anywhere in the question. */
export const questionFaults = {
  'lab-http429': { about: 'answers 429' },
  'lab-http503': { about: 'answers 503' },
  'lab-is-html': { about: 'answers 200 with a web page' },
  'lab-is-void': { about: 'answers 200 with an empty body' },
  'lab-is-half': { about: 'answers JSON that breaks off' },
  'lab-is-huge': { about: 'answers JSON of 64 MB' },
  'lab-is-deep': { about: 'answers JSON that is nested 100000 deep' },
  'lab-is-slow': { about: 'never answers' },
} as const;

type FaultWord = keyof typeof questionFaults;

const json = { 'content-type': 'application/json; charset=UTF-8' };
const page =
  '<!DOCTYPE html><html><head><title>Before you continue</title></head><body>Before you continue</body></html>';
const hugeBytes = 64 * 1024 * 1024;
const depth = 100_000;

/** The fault that a question asks for, by its text. */
export function faultIn(text: string): FaultWord | undefined {
  return (Object.keys(questionFaults) as FaultWord[]).find((word) => text.includes(word));
}

/** Goes wrong. */
export function sendFault(exchange: Exchange, fault: FaultWord): Promise<void> | void {
  switch (fault) {
    case 'lab-http429':
      return sendText(exchange, 429, 'Too many requests.\n', { 'retry-after': '1' });
    case 'lab-http503':
      return sendText(exchange, 503, 'Service unavailable.\n');
    case 'lab-is-html':
      return sendText(exchange, 200, page, { 'content-type': 'text/html; charset=utf-8' });
    case 'lab-is-void':
      return sendBytes(exchange, 200, Buffer.alloc(0), json);
    case 'lab-is-half':
      return sendText(exchange, 200, '{"playabilityStatus":{"status":"OK"},"contents":{"two', json);
    case 'lab-is-huge':
      return sendBytes(
        exchange,
        200,
        Buffer.concat([Buffer.from('{"contents":"'), Buffer.alloc(hugeBytes, 'x'), Buffer.from('"}')]),
        json,
      );
    case 'lab-is-deep':
      return sendText(exchange, 200, `{"contents":${'['.repeat(depth)}${']'.repeat(depth)}}`, json);
    case 'lab-is-slow':
      return hang(exchange);
  }
}
