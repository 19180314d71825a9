import { gzipSync } from 'node:zlib';
import { keys } from '../processes.ts';
import { bodies } from './bodies.ts';
import type { Kind } from './kind.ts';

type Headers = readonly (readonly [name: string, value: string])[];

const text = (method: string, target: string, headers: Headers = [], body = '') =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: a',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');
const get = (target: string, ...headers: Headers) => text('GET', target, headers);
const post = (target: string, body: string, ...headers: Headers) =>
  text('POST', target, [['Content-Type', 'application/json'], ...headers], body);
const coded = (coding: string) => ['Accept-Encoding', coding] as const;

const render = '/api/v1/render';
const webSocket: Headers = [
  ['Upgrade', 'websocket'],
  ['Connection', 'Upgrade'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Sec-WebSocket-Version', '13'],
];
/** Just below the longest URL. */
const longLink = 'A'.repeat(8_100);
const nested = (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
const manyNames = `[${Array.from({ length: 85_000 }, (_, at) => `{"${at.toString(36)}":0}`)}]`;
/** Letters that differ, and that no host of the real world combines. */
const letters = String.fromCodePoint(...Array.from({ length: 5_400 }, (_, at) => 0x4e00 + ((at * 7919) % 20_900)));
const longHosts = JSON.stringify({ jobs: Array(50).fill({ executionUrl: `http://${letters}/` }) });
const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
/** With the key that costs least. */
const toolCall = (given: object) => {
  const params = { name: 'search', arguments: { query: 'a', ...given } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers: Headers = [
    ['X-Marketplace-Key', keys.BASIC],
    ['X-Marketplace-Host', 'a'],
    ['Accept', 'application/json, text/event-stream'],
  ];
  return post('/mcp', body, ...headers);
};
const pageRequest: Headers = [
  ['X-Millrace-Page', '1'],
  ['Sec-Fetch-Site', 'same-origin'],
];

const mask = '\0\0\0\0';
/** Frames of a WebSocket client, which need no response except for pings (RFC 6455 §5.2). */
const frames = {
  texts: `\x81\x81${mask}a`,
  pings: `\x89\x80${mask}`,
  pongs: `\x8a\x80${mask}`,
  'empty texts in two fragments': `\x01\x80${mask}\x80\x80${mask}`,
};

/** Documents that anyone may read, once for each coding. */
const documents: readonly Kind[] = [
  ...['br', 'gzip', 'identity'].map(
    (coding): Kind => [`/openapi, ${coding}`, () => get('/openapi', coded(coding)), { times: 1_000 }],
  ),
  ...['/openapi.json', '/openapi/p1', '/openapi/platforms', '/docs', '/', '/about', '/status'].map(
    (target): Kind => [`${target}, br`, () => get(target, coded('br')), { times: 1_000 }],
  ),
  ['/status, gzip', () => get('/status', coded('gzip')), { times: 1_000 }],
  ['/service-worker.js', () => get('/service-worker.js', coded('br')), { times: 1_000 }],
  ['/manifest.webmanifest', () => get('/manifest.webmanifest', coded('br')), { times: 1_000 }],
  ['/.well-known/millrace-receipt-keys.json', () => get('/.well-known/millrace-receipt-keys.json'), { times: 1_000 }],
  ['all assets', ({ assets }) => assets.map((path) => get(path, coded('identity'))).join(''), { times: 30 }],
  [
    'all assets, never read',
    ({ assets }) => assets.map((path) => get(path)).join(''),
    { times: 30, connections: 20, ending: 'leave unread' },
  ],
  ['HEAD of /openapi', () => text('HEAD', '/openapi', [coded('br')]), { times: 1_000 }],
  ['an unchanged /openapi', () => get('/openapi', ['If-None-Match', '*']), { times: 1_000 }],
  ['/openapi with 20,000 tags', () => get('/openapi', ['If-None-Match', '"a",'.repeat(15_000)]), { times: 100 }],
  ['/openapi with 10,000 codings', () => get('/openapi', coded('x;q=0.1,'.repeat(7_500))), { times: 100 }],
  [
    '/openapi from many connections, never read',
    () => get('/openapi', coded('identity')),
    { times: 10, connections: 100, ending: 'leave unread' },
  ],
  ...[
    ['/openapi', 'identity'],
    ['/openapi', 'br'],
    ['/status', 'br'],
    ['/status', 'identity'],
    ['/docs', 'gzip'],
    ['/health', 'identity'],
    ['/health/live', 'identity'],
    ['/none', 'br'],
  ].map(
    ([target = '', coding = '']): Kind => [
      `${target}, ${coding}, on many connections at once`,
      () => get(target, coded(coding)),
      { times: 1, connections: 1_500, together: true },
    ],
  ),
  ['/health/ready', () => get('/health/ready'), { times: 3_000 }],
  ['/health', () => get('/health'), { times: 3_000 }],
];

/** Links that a caller has shared. */
const links: readonly Kind[] = [
  ['one file', ({ file }) => get(file), { times: 300 }],
  ['one file, never read', ({ file }) => get(file), { times: 6_000, ending: 'leave unread' }],
  [
    'one file, never read, from many connections',
    ({ file }) => get(file),
    { times: 50, connections: 100, ending: 'leave unread' },
  ],
  ['HEAD of one file', ({ file }) => text('HEAD', file), { times: 1_000 }],
  [
    '10,000 ranges of one file',
    ({ file }) => get(file, ['Range', `bytes=${'0-1,'.repeat(10_000)}5-6`]),
    { times: 200 },
  ],
  ['bytes of one file', ({ file }) => get(file, ['Range', 'bytes=7-7']), { times: 1_000 }],
  ['one receipt', ({ receipt }) => get(receipt), { times: 1_000 }],
  ['one relay link', ({ relay }) => get(relay), { times: 30 }],
  ['one relay link, never read', ({ relay }) => get(relay), { times: 1_000, ending: 'leave unread' }],
  ['one relayed playlist', ({ relayedPlaylist }) => get(relayedPlaylist), { times: 50 }],
  ['one execution URL', ({ execution }) => get(execution), { times: 500 }],
  [
    'status streams of one job',
    ({ job }) => get(`${render}/status/sse/${job}`),
    { times: 1, connections: 500, ending: 'leave unread' },
  ],
  [
    'WebSockets of one job',
    ({ job }) => get(`${render}/status/${job}`, ...webSocket),
    { times: 1, connections: 500, ending: 'stay silent' },
  ],
  ...Object.entries(frames).map(
    ([name, frame]): Kind => [
      `${name} on WebSockets of one job`,
      ({ job }) => get(`${render}/status/${job}`, ...webSocket) + frame.repeat(400_000),
      { times: 1, connections: 20, ending: 'stay silent' },
    ],
  ),
  [
    'frames on WebSockets of an unknown job',
    () => get(`${render}/status/none`, ...webSocket) + frames.texts.repeat(400_000),
    { times: 1, connections: 20, ending: 'stay silent' },
  ],
  ['cancellations of one job without a key', ({ job }) => text('DELETE', `${render}/jobs/${job}`), { times: 1_000 }],
];

/** Requests that are refused. */
const refusals: readonly Kind[] = [
  ['unknown paths', () => get('/none'), { times: 3_000 }],
  ['long unknown paths', () => get(`/${'a/'.repeat(4_000)}`), { times: 300 }],
  ['URLs of 64 kB', () => get(`/${'a'.repeat(64_000)}`), { times: 100 }],
  ['encoded paths', () => get(`/files/${'%41'.repeat(2_600)}/x`), { times: 300 }],
  ['a query of 2,000 parameters', () => get(`/p1/v3/video/details?${'a=1&'.repeat(2_000)}`), { times: 300 }],
  [
    '2,000 headers',
    () => get('/status', ...Array.from({ length: 1_900 }, (_, at) => [`X-${at}`, 'x'] as const)),
    { times: 1, connections: 50, rounds: 10, closes: true },
  ],
  ['cookies of 60 kB', () => get('/', ['Cookie', 'a=b; '.repeat(12_000)]), { times: 100 }],
  [
    'forwarding headers of 60 kB',
    () => get('/status', ['X-Forwarded-For', '1.1.1.1, '.repeat(6_500)], ['Forwarded', 'for=x']),
    { times: 100 },
  ],
  ['invalid execution URLs', () => get(`${render}/execute?link=${longLink}`), { times: 300 }],
  ['invalid stored links', () => get(`${render}/execute/${longLink}`), { times: 300 }],
  ['invalid relay links', () => get(`/relay/${longLink}/a`), { times: 300 }],
  ['invalid file links', () => get(`/files/${longLink}/a`), { times: 300 }],
  ['altered file links', ({ file }) => get(file.replace(/.\//, 'A/')), { times: 1_000 }],
  ['streams of unknown jobs', () => get(`${render}/status/sse/none`), { times: 1_000 }],
  [
    'WebSockets of unknown jobs',
    () => get(`${render}/status/none`, ...webSocket),
    { times: 1, connections: 50, rounds: 10 },
  ],
  ['upgrades at a route that has none', () => get('/status', ...webSocket), { times: 1_000 }],
  [
    'upgrades to h2c',
    () =>
      get('/openapi', ['Upgrade', 'h2c'], ['Connection', 'Upgrade, HTTP2-Settings'], ['HTTP2-Settings', 'AAMAAABk']),
    { times: 100 },
  ],
  ['jobs without a key', () => post(`${render}/execute`, `{"id":"${'x'.repeat(250_000)}"}`), { times: 20 }],
  ['batches without a key', () => post(`${render}/batch`, nested(1_000_000)), { times: 5 }],
  ['batches of many member names', () => post(`${render}/batch`, manyNames), { times: 5, connections: 10 }],
  [
    'batches of execution URLs with long hosts',
    () => post(`${render}/batch`, Buffer.from(longHosts).toString('latin1')),
    { times: 5, connections: 10 },
  ],
  ['nested jobs without a key', () => post(`${render}/execute`, nested(250_000)), { times: 20 }],
  [
    'compressed jobs',
    () => post(`${render}/execute`, gzipSync('x'.repeat(1e8)).toString('latin1'), ['Content-Encoding', 'gzip']),
    { times: 1, connections: 50, closes: true },
  ],
  [
    'jobs with a wrong key',
    () => post(`${render}/execute`, '{}', ['Authorization', `Bearer ${'k'.repeat(60_000)}`]),
    { times: 100 },
  ],
  ['tool calls without a key', () => post('/mcp', initialize), { times: 1_000 }],
  ['tool calls with lists of 250,000 parts', () => toolCall({ features: ','.repeat(250_000) }), { times: 10 }],
  ['tool calls with 60,000 equal parts', () => toolCall({ features: Array(60_000).fill(1) }), { times: 10 }],
  [
    'lists of tool calls',
    () => post('/mcp', `[${Array.from({ length: 3_000 }, () => initialize).join(',')}]`),
    { times: 20 },
  ],
  [
    'extractions with a wrong key',
    () => get('/p1/v3/video/details?videoId=dQw4w9WgXcQ', ['X-Marketplace-Key', 'wrong']),
    { times: 1_000 },
  ],
  [
    'preflights',
    () =>
      text('OPTIONS', '/p1/v3/video/details', [
        ['Origin', 'https://a.example'],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'x,'.repeat(20_000)],
      ]),
    { times: 300 },
  ],
  ['requests of the page', () => get('/p1/v3/video/details?videoId=none', ...pageRequest), { times: 500 }],
];

/** Heads that never end, that come in pieces, or that are not HTTP. */
const messages: readonly Kind[] = [
  [
    'heads that do not end',
    () => `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(60_000)}`,
    { times: 1, connections: 500, ending: 'stay silent' },
  ],
  ['unknown expectations', () => get('/status', ['Expect', 'x'.repeat(10_000)]), { times: 300 }],
  [
    'bytes that are not HTTP',
    () => '\u0016\u0003\u0001\u0002\u0000'.repeat(10_000),
    { times: 1, connections: 50, rounds: 10 },
  ],
  ['line ends before a request', () => '\r\n'.repeat(30_000) + get('/health/live'), { times: 100 }],
  ['connections that are closed at once', () => '', { times: 1, connections: 50, rounds: 40, ending: 'reset' }],
  [
    'requests that are reset at once',
    () => get('/openapi', coded('br')),
    { times: 10, connections: 50, rounds: 20, ending: 'reset' },
  ],
  ['idle connections', () => '', { times: 1, connections: 1_000, ending: 'stay silent' }],
];

/** All kinds of abuse that need no key, in the size of a real attack. */
export const kinds: readonly Kind[] = [...documents, ...links, ...refusals, ...messages, ...bodies];
