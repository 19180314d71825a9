import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { ParsedHead } from './response-head.ts';
import { ResponseReader } from './response-reader.ts';

const SEED = 20_261_123;

interface ReadResult {
  readonly head: ParsedHead | undefined;
  readonly body: string;
  readonly ended: boolean;
  readonly rest: string;
}

/** Reads a response that arrives in pieces, with a handler that pauses after every chunk. */
function readPieces(pieces: readonly string[], closed = true): ReadResult {
  let head: ParsedHead | undefined;
  let body = '';
  let ended = false;
  const reader = new ResponseReader({
    head: (parsed) => {
      head = parsed;
    },
    body: (chunk) => {
      body += chunk.toString('latin1');
      return false;
    },
    end: () => {
      ended = true;
    },
  });
  let rest = '';
  for (const piece of pieces) {
    let bytes = Buffer.from(piece, 'latin1');
    for (let before = -1; bytes.length > 0 && bytes.length !== before; ) {
      before = bytes.length;
      bytes = Buffer.from(reader.read(bytes));
    }
    rest += bytes.toString('latin1');
  }
  if (closed) reader.close();
  return { head, body, ended, rest };
}

function splitAt(text: string, at: readonly number[]): string[] {
  const places = [0, ...at.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const body = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});
const cuts = fc.array(fc.nat(2000), { maxLength: 12 });
const encodeChunks = (parts: readonly string[]) =>
  `${parts.map((part) => `${part.length.toString(16)};a=b\r\n${part}\r\n`).join('')}0\r\nx-sum: 1\r\n\r\n`;

describe('a response split at arbitrary positions', () => {
  const check = (name: string, property: fc.IPropertyWithHooks<[string[], number[]]>) =>
    test(name, () => fc.assert(property, { seed: SEED, numRuns: propertyRuns(300) }));

  check(
    'is read correctly with a length',
    fc.property(fc.array(body, { minLength: 1, maxLength: 3 }), cuts, (parts, at) => {
      const all = parts.join('');
      const text = `HTTP/1.1 103 Early\r\nlink: a\r\n\r\nHTTP/1.1 206 OK\r\nContent-Length: ${all.length}\r\nETag: "a"\r\n\r\n${all}`;
      const result = readPieces(splitAt(text, at));
      expect(result).toMatchObject({ body: all, ended: true, rest: '' });
      expect(result.head).toMatchObject({ status: 206, reusable: true, headers: { etag: '"a"' } });
    }),
  );
  check(
    'is read correctly in chunks',
    fc.property(
      fc.array(
        body.filter((part) => part !== ''),
        { maxLength: 4 },
      ),
      cuts,
      (parts, at) => {
        const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${encodeChunks(parts)}`;
        const result = readPieces(splitAt(text, at));
        expect(result).toMatchObject({ body: parts.join(''), ended: true, rest: '' });
        expect(result.head?.reusable).toBe(true);
      },
    ),
  );
  check(
    'is read correctly up to the end of the connection',
    fc.property(fc.array(body, { maxLength: 3 }), cuts, (parts, at) => {
      const result = readPieces(splitAt(`HTTP/1.0 200 OK\r\n\r\n${parts.join('')}`, at));
      expect(result).toMatchObject({ body: parts.join(''), ended: true });
      expect(result.head?.reusable).toBe(false);
    }),
  );
});

test('the connection of an HTTP/1.0 response in chunks is not reused', () => {
  const head = 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: Chunked\r\n\r\n';
  expect(readPieces([`${head}2\r\nok\r\n0\r\n\r\n`])).toMatchObject({ body: 'ok', head: { reusable: false } });
});

test('the response reader leaves the bytes after a response unread', () => {
  expect(readPieces(['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200'])).toMatchObject({
    body: 'ok',
    ended: true,
    rest: 'HTTP/1.1 200',
  });
});

test.each([
  ['in its head', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok'],
  ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nok'],
  ['before the last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'],
])('the response reader reports a broken connection when it ends %s', (_where, text) => {
  expect(() => readPieces([text])).toThrow('other side closed');
});

const long = 'x'.repeat(20_000);
test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ['another version of HTTP', 'HTTP/2 200\r\n\r\n'],
  ['a header without a name', 'HTTP/1.1 200 OK\r\n: a\r\n\r\n'],
  ['a folded header line', 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok'],
  ['a bare line feed', 'HTTP/1.1 200 OK\r\na: b\nc: d\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a length that is not a number', 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok'],
  ['another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nok\r\n'],
  ['a chunk longer than its announced size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nok\r\n'],
  ['a chunk line that ends with LF', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nok\r\n'],
  ['an endless head', `HTTP/1.1 200 OK\r\na: ${long}`],
  ['endless interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11)],
  ['a chunk size of 13 digits', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0000000000001\r\no\r\n'],
  ['a carriage return in a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\r\no\r\n'],
  ['two carriage returns after a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\r\n'],
  ['an endless chunk line', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${long}`],
  ['too many trailers', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(5000)}`],
])('the response reader rejects a response with %s', (_what, text) => {
  expect(() => readPieces([text], false)).toThrow();
});

test.each(['gzip, chunked', 'gzip', 'chunked, gzip', 'chunked, chunked', 'xchunked', 'identity', 'chunked;q=1', ''])(
  'the response reader rejects a response with the transfer coding "%s"',
  (coding) => {
    // A list may be in several lines (RFC 9110 §5.3).
    const lines = coding.split(', ').map((each) => `Transfer-Encoding: ${each}\r\n`);
    for (const header of [`Transfer-Encoding: ${coding}\r\n`, lines.join('')]) {
      const text = `HTTP/1.1 200 OK\r\n${header}\r\n0\r\n\r\n`;
      expect(() => readPieces([text], false)).toThrow(`the transfer coding "${coding}"`);
    }
  },
);

test('the chunks of one read are passed on in one piece, also in front of an invalid one', () => {
  const pieces: string[] = [];
  const reader = new ResponseReader({
    head: () => undefined,
    body: (chunk) => pieces.push(chunk.toString()) > 0,
    end: () => undefined,
  });
  const chunks = 'a;x="\r\r"\r\n0123456789\r\n1 \t\r\na\r\n01\r\nb\r\n';
  const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
  expect(() => reader.read(Buffer.from(`${text}x`))).toThrow('the size of one of its chunks is invalid');
  expect(pieces).toEqual(['0123456789ab']);
});
