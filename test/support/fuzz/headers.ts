import fc from 'fast-check';
import type { DocumentedOperation } from '../contract.ts';
import type { Header } from './request.ts';

/** Generates headers that authenticate a caller everywhere, and damaged ones. */
export function credentials(sound: readonly Header[]): fc.Arbitrary<readonly Header[]> {
  const one = fc.nat(Math.max(0, sound.length - 1));
  const values = fc.constantFrom(
    '',
    ' ',
    'wrong',
    'é\u0001',
    '\u00ff\u00fe',
    'k'.repeat(50_000),
    'Bearer',
    'Basic é:',
    '%00',
  );
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant(sound) },
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constant([...sound, ...sound]) },
    { weight: 1, arbitrary: one.map((omitted) => sound.filter((_, at) => at !== omitted)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(one, values)
        .map(([at, value]) => sound.map((each, index) => withValue(each, index === at, value))),
    },
  );
}

function withValue(header: Header, chosen: boolean, value: string): Header {
  return chosen ? [header[0], value] : header;
}

/**
 * Generates headers that lead to the special responses of an operation: an upgrade, a part of a file, an unchanged
 * document.
 */
export function fittingHeaders({ responses }: DocumentedOperation): fc.Arbitrary<readonly Header[]> {
  // The endpoint responds to nothing else.
  if ('406' in responses) {
    const accept: readonly Header[] = [['Accept', 'application/json, text/event-stream']];
    return fc.oneof({ weight: 6, arbitrary: fc.constant(accept) }, { weight: 1, arbitrary: strangeHeaders });
  }
  const fitting: (readonly Header[])[] = [
    ...('101' in responses ? [webSocketHeaders()] : []),
    ...('206' in responses ? ([[['Range', 'bytes=0-99']], [['Range', 'bytes=-7']]] as const) : []),
    ...('304' in responses ? ([[['If-None-Match', '*']]] as const) : []),
  ];
  if (fitting.length === 0) return strangeHeaders;
  return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...fitting) }, { weight: 2, arbitrary: strangeHeaders });
}

/** Generates optional headers of a request: mostly none. */
export const strangeHeaders: fc.Arbitrary<readonly Header[]> = fc.oneof(
  { weight: 24, arbitrary: fc.constant([]) },
  {
    weight: 8,
    arbitrary: fc.array(
      fc.constantFrom<Header>(
        ['__proto__', 'x'],
        ['constructor', 'x'],
        ['Range', 'bytes=0-0'],
        ['Range', 'bytes=-1'],
        ['Range', 'bytes=5-'],
        ['Range', 'bytes=9-1,,'],
        ['Range', 'bytes=99999999999999999999-'],
        ['Range', 'bytes=0-1,3-4'],
        ['Range', 'lines=1-2'],
        ['If-Range', '"x"'],
        ['If-Match', '"x"'],
        ['If-Match', '*'],
        ['If-None-Match', '*'],
        ['If-None-Match', '"'.repeat(3_000)],
        ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
        ['If-Unmodified-Since', 'never'],
        ['Accept', ','.repeat(3_000)],
        ['Accept', 'text/html;q=2'],
        ['Accept', 'image/png'],
        ['Accept-Encoding', 'gzip;q=x, *;q=-1, \u00ff'],
        ['Accept-Encoding', 'br'],
        ['Accept-Encoding', 'gzip, br'],
        ['Accept-Encoding', 'identity;q=0'],
        ['Accept-Language', '\u00ff'],
        ['Origin', '\u00ff'],
        ['Origin', 'https://page.example'],
        ['Access-Control-Request-Method', '\u00ff'],
        ['Access-Control-Request-Method', 'PUT'],
        ['Access-Control-Request-Headers', ','.repeat(2_000)],
        ['Cookie', '='.repeat(5_000)],
        ['Cache-Control', 'no-cache'],
        ['Cache-Control', 'only-if-cached, max-age=-1'],
        ['Content-Encoding', 'gzip'],
        ['Content-Encoding', 'identity'],
        ['Expect', '100-continue'],
        ['Expect', 'something'],
        ['Upgrade', 'websocket'],
        ['Upgrade', 'h2c'],
        ['Connection', 'upgrade'],
        ['Connection', 'keep-alive, close, \u00ff'],
        ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
        ['Sec-WebSocket-Key', 'x'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Version', '99'],
        ['Sec-Fetch-Site', 'same-origin'],
        ['Last-Event-ID', '\u00ff'],
        ['TE', 'trailers'],
        ['Trailer', 'X'],
        ['Via', '1.1 x'],
        ['Forwarded', 'for="[::1]"'],
        ['X-Forwarded-For', '127.0.0.1, \u00ff'],
        ['X-Forwarded-Host', 'elsewhere.example'],
        ['X-Forwarded-Proto', 'javascript'],
        ['X-HTTP-Method-Override', 'DELETE'],
        ['Host', 'elsewhere.example'],
        ['X-Long', 'x'.repeat(60_000)],
        ['X-Long', 'x'.repeat(66_000)],
        ['X-Empty', ''],
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { weight: 1, arbitrary: fc.constant(webSocketHeaders()) },
  { weight: 1, arbitrary: fc.constantFrom(150, 1_000, 2_500).map((count) => manyHeaders(count)) },
);

/** Content types of a body: mostly JSON. */
export const contentTypes: fc.Arbitrary<readonly Header[]> = fc.oneof(
  { weight: 30, arbitrary: fc.constant<readonly Header[]>([['Content-Type', 'application/json']]) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'application/json; charset=utf-8',
        'application/json; charset=\u00ff',
        'application/json;',
        'APPLICATION/JSON',
        'application/json, text/html',
        'application/problem+json',
        'text/plain',
        'text/html',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'multipart/form-data',
        '*/*',
        'json',
        '/',
        '',
        'x'.repeat(5_000),
        '__proto__',
      )
      .map((type) => [['Content-Type', type]] as const),
  },
  { weight: 1, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.constant<readonly Header[]>([
      ['Content-Type', 'application/json'],
      ['Content-Type', 'text/html'],
    ]),
  },
);

/** Returns the headers of an upgrade to WebSocket as RFC 6455 §4.1 requires. */
function webSocketHeaders(): readonly Header[] {
  return [
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ['Sec-WebSocket-Version', '13'],
  ];
}

function manyHeaders(count: number): readonly Header[] {
  return Array.from({ length: count }, (_, at) => [`X-${at}`, 'x'] as const);
}
