import fc from 'fast-check';
import { bytesOf, type FuzzRequest } from './request.ts';

const CRLF = '\r\n';

/** Generates requests whose bytes are damaged: cut, altered, framed in two ways, or in another protocol. */
export function damagedRequests(sound: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  const changed = sound.chain((request) =>
    fc
      .oneof({ weight: 3, arbitrary: damagedHead(request) }, { weight: 2, arbitrary: damagedBytes(bytesOf(request)) })
      .map((damaged) => ({ ...request, damaged })),
  );
  const strange = fc.tuple(sound, foreignBytes).map(([request, damaged]) => ({ ...request, damaged }));
  return fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: strange });
}

function damagedBytes(bytes: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat(Math.max(0, bytes.length - 1));
  const piece = fc.uint8Array({ minLength: 1, maxLength: 6 });
  return fc.oneof(
    place.map((length) => bytes.subarray(0, length)),
    fc.tuple(place, piece).map(([at, some]) => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)])),
    fc
      .tuple(place, piece)
      .map(([at, some]) => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at + some.length)])),
  );
}

/** Generates heads that parsers are known to disagree about (RFC 9112 §2.2, §3.2, §5.2, §6, §7.1). */
function damagedHead(request: FuzzRequest): fc.Arbitrary<Buffer> {
  const { method, target, headers, body } = request;
  const lines = headers.filter(([name]) => !framing.includes(name)).map(([name, value]) => `${name}: ${value}`);
  const first = `${method} ${target} HTTP/1.1`;
  const head = (...all: readonly string[]) => all.join(CRLF) + CRLF + CRLF;
  const withFraming = (...more: readonly string[]) => head(first, ...lines, ...more);
  const without = (name: string) => lines.filter((line) => !line.startsWith(`${name}:`));
  const { length } = body;
  const heads = [
    head(`${method} ${target} HTTP/1.0`, ...lines),
    head(`${method} ${target} HTTP/0.9`),
    head(`${method} ${target} HTTP/2.0`, ...lines),
    head(`${method} ${target} HTTP/9.99`, ...lines),
    head(`${method} ${target}`, ...lines),
    head(`${method}  ${target}  HTTP/1.1`, ...lines),
    head(`\t${first}`, ...lines),
    head('', '', first, ...lines),
    head(first, ...without('Host')),
    head(first, ...lines, 'Host: elsewhere.example'),
    head(first, ...without('Host'), 'Host: a b'),
    head(first, ...without('Host'), 'Host: '),
    withFraming(`Content-Length: ${length}`, `Content-Length: ${length + 1}`),
    withFraming(`Content-Length: ${length}`, `Content-Length: ${length}`),
    withFraming(`Content-Length: ${length}, ${length}`),
    withFraming(`Content-Length: ${length}`, 'Transfer-Encoding: chunked'),
    withFraming(`Content-Length: ${length + 5}`),
    withFraming(`Content-Length: ${Math.max(0, length - 5)}`),
    withFraming('Content-Length: -1'),
    withFraming('Content-Length: +1'),
    withFraming('Content-Length: 1e3'),
    withFraming('Content-Length: 0x10'),
    withFraming('Content-Length: 99999999999999999999'),
    withFraming('Content-Length: 9007199254740993'),
    withFraming('Content-Length:'),
    withFraming('Transfer-Encoding: chunked'),
    withFraming('Transfer-Encoding: chunked, gzip'),
    withFraming('Transfer-Encoding: gzip, chunked'),
    withFraming('Transfer-Encoding: xchunked'),
    withFraming('Transfer-Encoding: identity'),
    withFraming('Transfer-Encoding : chunked'),
    withFraming('Transfer-Encoding: chunked', 'Transfer-Encoding: identity'),
    withFraming('Transfer-Encoding:\u000bchunked'),
    withFraming('no colon'),
    withFraming('X-Space : x'),
    withFraming(': x'),
    withFraming('X-Folded: a', ' b'),
    withFraming('X-Nul: \u0000'),
    withFraming('X-Cr: a\rb'),
    withFraming('X(: x'),
    withFraming('\u00ff: x'),
    withFraming('Connection: upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'),
    withFraming('Connection: upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: x'),
    head(first, ...lines).replaceAll(CRLF, '\n'),
    head(first, ...lines).replaceAll(CRLF, '\r'),
  ].map((text) => Buffer.concat([Buffer.from(text, 'latin1'), body]));
  const chunks = [
    '5\r\nhello\r\n',
    '5\r\nhello\r\n0\r\n',
    'z\r\nhello\r\n0\r\n\r\n',
    '-1\r\n\r\n',
    'ffffffffffffffffff\r\nx',
    '5;a=b;"\r\nhello\r\n0\r\n\r\n',
    `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`,
    '5\r\nhel\r\n0\r\n\r\n',
    '5\nhello\n0\n\n',
    '0\r\nX-Trailer: x\r\nContent-Length: 5\r\n\r\n',
    '0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
  ].map((text) => Buffer.from(withFraming('Transfer-Encoding: chunked') + text, 'latin1'));
  return fc.constantFrom(...heads, ...chunks);
}

const framing = ['Content-Length', 'Transfer-Encoding'];

const foreignBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      '',
      '\r\n',
      '\r\n\r\n',
      '\u0000',
      'GET',
      'GET /',
      'GET / HTTP/1.1\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'SSH-2.0-x\r\n',
      'PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
      '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003',
      '\u0005\u0001\u0000',
      'HTTP/1.1 200 OK\r\n\r\n',
      'a'.repeat(70_000),
      `GET / HTTP/1.1\r\n${'x'.repeat(70_000)}`,
    )
    .map((text) => Buffer.from(text, 'latin1')),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
