import type { Kind } from './kind.ts';

const MEGABYTE = 1_000_000;

/** A head up to its end; the body follows. */
const head = (method: string, target: string, ...lines: readonly string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');
const chunkedTo = (target: string, method = 'POST') => head(method, target, 'Transfer-Encoding: chunked');
const stated = (target: string, body: string, ...lines: readonly string[]) =>
  head('POST', target, `Content-Length: ${body.length}`, ...lines) + body;

const job = '/api/v1/render/execute';
const batch = '/api/v1/render/batch';

/** A body just below the size from which the structure is checked before it is parsed. */
const smallBody = `[${Array.from({ length: 4_900 }, (_, at) => `{"${at.toString(36)}":0}`)}]`;

const byteChunks = (count: number) => '1\r\n \r\n'.repeat(count);
const end = '0\r\n\r\n';
const bigChunk = `${MEGABYTE.toString(16)}\r\n${'x'.repeat(MEGABYTE)}\r\n`;

/** Lists of as many objects as a batch may have, with names that JSON parsers look for. */
const namedLists = ['__proto__', 'constructor', '\\u005f_proto__'].map((name) => {
  const member = `{"${name}":0},`;
  return [name, `[${member.repeat(Math.min(49_990, MEGABYTE / member.length))}0]`] as const;
});

/** Objects with as many combinations of names as a batch may have. */
const combinedNames = `[${Array.from({ length: 30_000 }, (_, at) => `{"${at % 1_990}":0,"${(at * 7) % 1_990}":0,"a${(at * 13) % 7}":0}`)}]`;

/**
 * Bodies in every framing of HTTP/1.1 (RFC 9112 §6 and §7), from clients that send as little or as much as they can. What
 * one read returns of each of ten connections already adds up, so most of them are short.
 */
export const bodies: readonly Kind[] = [
  ['bodies in chunks of one byte', () => chunkedTo(job) + byteChunks(150_000) + end, { times: 3 }],
  [
    'bodies in chunks of one byte, from many connections',
    () => chunkedTo(job) + byteChunks(20_000) + end,
    { times: 1, connections: 100 },
  ],
  [
    'batches in chunks of one byte',
    () => `${chunkedTo(batch)}${byteChunks(600_000)}2\r\n{}\r\n${end}`,
    { times: 1, connections: 10, closes: true },
  ],
  [
    'batches in chunks of one byte and tiny segments',
    () => `${chunkedTo(batch)}${byteChunks(10_000)}2\r\n{}\r\n${end}`,
    { times: 1, connections: 100, segment: 100 },
  ],
  [
    'tool calls in chunks of one byte',
    () => `${chunkedTo('/mcp')}${byteChunks(20_000)}${end}`,
    { times: 1, connections: 100 },
  ],
  [
    'chunks with long extensions',
    () => chunkedTo(job) + `1;${'e'.repeat(10_000)}\r\nx\r\n`.repeat(200),
    { times: 1, connections: 200, closes: true },
  ],
  [
    'chunks with short extensions',
    () => chunkedTo(batch) + '1;a=b\r\n \r\n'.repeat(20_000) + end,
    { times: 1, connections: 100 },
  ],
  [
    'chunks whose sizes have leading zeros',
    () => chunkedTo(batch) + `${'0'.repeat(15)}1\r\n \r\n`.repeat(10_000) + end,
    { times: 1, connections: 100 },
  ],
  ...[job, batch, '/mcp'].map(
    (target): Kind => [
      `small bodies to ${target} on many connections at once`,
      () => stated(target, smallBody),
      { times: 1, connections: 1_000, together: true },
    ],
  ),
  ['chunked bodies that are empty', () => chunkedTo(batch) + end, { times: 300, connections: 10 }],
  [
    'trailers',
    () => `${chunkedTo(job)}0\r\n${'X-A: b\r\n'.repeat(1_500)}\r\n`,
    { times: 1, connections: 50, rounds: 10, closes: true },
  ],
  [
    'bodies that do not arrive',
    () => head('POST', job, 'Content-Length: 1000'),
    { times: 1, connections: 500, ending: 'stay silent' },
  ],
  [
    'batches that lack their last byte',
    () => stated(batch, ' '.repeat(MEGABYTE)).slice(0, -1),
    { times: 1, connections: 100, ending: 'stay silent' },
  ],
  [
    'expected bodies that do not arrive',
    () => head('POST', job, 'Expect: 100-continue', 'Content-Length: 250000'),
    { times: 1, connections: 500, ending: 'stay silent' },
  ],
  [
    'expected bodies in tiny segments',
    () => stated(job, ' '.repeat(50_000), 'Expect: 100-continue'),
    { times: 1, connections: 100, segment: 100 },
  ],
  ...[
    ['an unknown path', chunkedTo('/none')],
    ['a route with other methods', chunkedTo(batch, 'PUT')],
    ['a route that takes none', chunkedTo('/health/live', 'GET')],
    ['a route that refuses it', chunkedTo(job)],
  ].map(
    ([name, start]): Kind => [
      `endless bodies to ${name}`,
      () => start + bigChunk.repeat(20),
      { times: 1, connections: 100, closes: true },
    ],
  ),
  [
    'endless bodies in chunks of one byte to an unknown path',
    () => chunkedTo('/none') + byteChunks(MEGABYTE),
    { times: 1, connections: 10, closes: true },
  ],
  [
    'long bodies to an unknown path',
    () => head('POST', '/none', 'Content-Length: 99999999999') + 'x'.repeat(20 * MEGABYTE),
    { times: 1, connections: 100, closes: true },
  ],
  [
    'bodies of another type',
    () =>
      head('POST', batch, 'Content-Length: 900000').replace('application/json', 'multipart/form-data; boundary=x') +
      'x'.repeat(900_000),
    { times: 5, connections: 10 },
  ],
  ...namedLists.map(
    ([name, body]): Kind => [
      `batches with many members ${name}`,
      () => stated(batch, body),
      { times: 5, connections: 100 },
    ],
  ),
  ['batches of many combinations of names', () => stated(batch, combinedNames), { times: 5, connections: 100 }],
  [
    'tool calls with many members __proto__',
    () => stated('/mcp', `[${'{"__proto__":{}},'.repeat(14_000)}0]`),
    { times: 5, connections: 100 },
  ],
];
