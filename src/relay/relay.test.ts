import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blocking } from '../blocks/testing/test-blocks.ts';
import { noSubjectReader, type SubjectReader } from '../contract/subjects.ts';
import type { RelayOrder } from './relay-link.ts';
import { codeOf, relayTo, respondWith, sealer, serveFile } from './testing/test-relay.ts';

type Query = Parameters<SubjectReader['ofQuery']>[0];

describe('a relay link', () => {
  test('sends the whole file with a type that no browser runs', async () => {
    const { link } = await relayTo(serveFile);
    const answer = await fetch(link());
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('0123456789');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'accept-ranges': 'bytes',
      etag: '"abc"',
      'content-disposition': 'attachment; filename=video.mp4',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none';.* frame-ancestors 'none'$/),
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cache-control': expect.stringMatching(/^private, max-age=(?:60|5\d)$/),
    });
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=99-', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['pages=1-2', 200, '0123456789', null],
  ])('responds to the range %s with status %i', async (range, status, text, contentRange) => {
    const { link } = await relayTo(serveFile);
    const answer = await fetch(link(), { headers: { range } });
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  test('responds to HEAD with the headers of GET', async () => {
    const { link, sourceRequests } = await relayTo(serveFile);
    const answer = await fetch(link(), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
    expect(sourceRequests[0]?.method).toBe('GET');
  });

  test("sends the headers that the source requires, and none of the caller's", async () => {
    const { link, sourceRequests } = await relayTo(serveFile);
    const headers = { cookie: 'mine=1', 'user-agent': 'caller', 'x-forwarded-for': '1.2.3.4' };
    await fetch(link({ headers: { referer: 'https://site.example/', cookie: 'chain=2' } }), { headers });
    expect(sourceRequests[0]?.headers).toMatchObject({
      host: 'cdn.example',
      referer: 'https://site.example/',
      cookie: 'chain=2',
    });
    expect(sourceRequests[0]?.headers).not.toHaveProperty('user-agent');
    expect(sourceRequests[0]?.headers).not.toHaveProperty('x-forwarded-for');
  });

  test('returns 451 once the operator has blocked its item', async () => {
    const handleIn = (url: unknown) => `p9/channel/@${/@(\w+)/.exec(String(url))?.[1]?.toLowerCase()}`;
    const reader = { ...noSubjectReader, ofQuery: ({ parameters }: Query) => [handleIn(parameters.url)] };
    const { link, sourceRequests } = await relayTo(serveFile, {
      blocks: blocking('channel', 'p9', '@someone', reader),
    });
    const representation = { repId: '1', kind: 'muxed' } as const;
    const origin = { platform: 'p9', endpoint: '/video', parameters: { url: 'https://a.example/@Someone/1' } };
    const response = await fetch(link({ origin: { ...origin, content: 0, representation } }));
    expect([response.status, await codeOf(response)]).toEqual([451, 'blocked']);
    const picture = await fetch(link({ subjects: ['p9/item/1', 'p9/channel/@someone'] }));
    expect([picture.status, await codeOf(picture)]).toEqual([451, 'blocked']);
    expect(sourceRequests).toEqual([]);
    expect((await fetch(link({ subjects: ['p9/item/1'] }))).status).toBe(200);
  });

  test('returns 403 if it was altered and 410 if it has expired', async () => {
    const { link, sourceRequests } = await relayTo(serveFile);
    const response = await fetch(link().replace(/.{3}\/video.mp4$/, 'abc/video.mp4'));
    expect([response.status, await codeOf(response)]).toEqual([403, 'invalid_url']);
    const expired = await fetch(link({ expiresAt: Date.now() - 1 }));
    expect([expired.status, await codeOf(expired)]).toEqual([410, 'token_expired']);
    expect(sourceRequests).toEqual([]);
  });

  test('is rejected if it points to an internal address', async () => {
    const { link } = await relayTo(serveFile);
    expect((await fetch(link({ url: 'http://169.254.169.254/latest' }))).status).toBe(403);
  });
});

describe('the relay of a failing source', () => {
  test.each([
    [403, 403, 'unavailable'],
    [404, 404, 'not_found'],
    [410, 410, 'token_expired'],
    [429, 502, 'non_2xx_response'],
    [503, 502, 'non_2xx_response'],
    [206, 502, 'invalid_response_data'],
  ])('maps the source status %i to %i', async (status, expected, code) => {
    const { link } = await relayTo(respondWith(status, { 'content-type': 'video/mp4' }, 'x'));
    const answer = await fetch(link());
    expect([answer.status, await codeOf(answer)]).toEqual([expected, code]);
    const head = await fetch(link(), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([expected, '']);
  });

  test.each([
    ['text/html; charset=utf-8', 502],
    ['image/svg+xml', 502],
    ['video/svg+xml', 502],
    ['image/x+xml', 502],
    ['video/unheard-of', 502],
    ['application/json', 502],
    ['application/vnd.apple.mpegurl', 502],
    ['audio/mpegurl', 502],
    ['text/vtt', 200],
    ['audio/webm; codecs=opus', 200],
  ])('given %s instead of a video, responds with status %i', async (type, status) => {
    const { link } = await relayTo(respondWith(200, { 'content-type': type }, 'x'));
    expect((await fetch(link())).status).toBe(status);
  });

  test.each([
    ['video/mp4', 'application/octet-stream', 'video/mp4'],
    ['video/mp4', 'text/plain', 'video/mp4'],
    ['text/html', 'text/plain', 'application/octet-stream'],
  ])('with the declared type %s and the source type %s sends %s', async (declaredType, sourceType, type) => {
    const { link } = await relayTo(respondWith(200, { 'content-type': sourceType }, 'x'));
    expect((await fetch(link({ mediaType: declaredType }))).headers.get('content-type')).toBe(type);
  });

  test("closes the caller's connection when the source breaks off", async () => {
    const { link } = await relayTo((_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1000 });
      response.write('0123456789', () => response.destroy());
    });
    await expect(fetch(link()).then((answer) => answer.text())).rejects.toThrow(TypeError);
  });

  test('returns 502 when the source refuses connections', async () => {
    const { link } = await relayTo((_request, response) => response.destroy());
    const answer = await fetch(link());
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'connection_error']);
  });
});

describe('a relay connection', () => {
  /** Creates a source with an endless file, and counts the bytes that it could send. */
  function endless() {
    const progress = { bytes: 0, closed: Promise.withResolvers<void>() };
    const listener: RequestListener = (_request, response) => {
      response.once('close', () => progress.closed.resolve());
      response.writeHead(200, { 'content-type': 'video/mp4' });
      const chunk = Buffer.alloc(64 * 1024);
      const chunks = function* () {
        for (;;) {
          progress.bytes += chunk.length;
          yield chunk;
        }
      };
      Readable.from(chunks())
        .on('error', () => undefined)
        .pipe(response);
    };
    return { progress, listener };
  }

  test('slows the source down while the caller reads nothing, and is closed after a timeout', async () => {
    const { progress, listener } = endless();
    const { link } = await relayTo(listener, {}, { idleTimeout: 1_000 });
    const url = new URL(link());
    const caller = connect(Number(url.port), url.hostname);
    onTestFinished(() => void caller.destroy());
    caller.write(`GET ${url.pathname} HTTP/1.1\r\nhost: a\r\n\r\n`);
    caller.pause();
    await progress.closed.promise;
    // Most of these bytes are in the socket buffers of the operating system.
    expect(progress.bytes).toBeLessThan(32 * 1024 * 1024);
  });

  test('closes its source connection when the caller disconnects', async () => {
    const { progress, listener } = endless();
    const { link } = await relayTo(listener);
    const disconnect = new AbortController();
    const answer = await fetch(link(), { signal: disconnect.signal });
    await answer.body?.getReader().read();
    disconnect.abort();
    await progress.closed.promise;
  });

  test('counts towards the connection limit of the key', async () => {
    const { listener } = endless();
    const { link } = await relayTo(listener);
    // The relay waits for its connections when it closes.
    const end = new AbortController();
    onTestFinished(() => end.abort());
    const open = (order?: Parameters<typeof link>[0]) => fetch(link(order), { signal: end.signal });
    const disconnect = new AbortController();
    const first = await fetch(link(), { signal: disconnect.signal });
    // A response that nothing refers to any more would be cancelled by the garbage collector.
    const second = await open();
    const third = await open();
    expect(second.status).toBe(200);
    expect([third.status, third.headers.get('retry-after'), await codeOf(third)]).toEqual([429, '5', 'rate_limited']);
    expect((await open({ owner: 'another' })).status).toBe(200);
    await first.body?.getReader().read();
    disconnect.abort();
    await expect.poll(async () => (await open()).status).toBe(200);
  });
});

describe('a relayed HLS playlist', () => {
  const playlist = '#EXTM3U\n#EXTINF:4,\nseg.ts\n#EXTINF:4,\nhttps://other.example/seg.ts\n#EXT-X-ENDLIST';
  const hls = 'application/vnd.apple.mpegurl';
  const source: RequestListener = (request, response) => {
    if (request.url?.endsWith('.m3u8')) respondWith(200, { 'content-type': 'text/plain' }, playlist)(request, response);
    else respondWith(200, { 'content-type': 'video/mp2t' }, `segment of ${request.headers.host}`)(request, response);
  };
  const order = { url: 'https://cdn.example/a/list.m3u8', mediaType: hls, headers: { cookie: 'c=1', referer: 'r' } };

  test('routes its segments through the relay and sends cookies only to their own host', async () => {
    const { link, sourceRequests, base } = await relayTo(source);
    const answer = await fetch(link(order));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, hls]);
    const [, , first = '', , second = ''] = (await answer.text()).split('\n');
    for (const url of [first, second]) {
      expect(url.startsWith(`${base}/relay/`)).toBe(true);
      expect(url.endsWith('/media.ts')).toBe(true);
    }
    const segments = await Promise.all([first, second].map(async (url) => (await fetch(url)).text()));
    expect(segments).toEqual(['segment of cdn.example', 'segment of other.example']);
    const cookies = sourceRequests.map(({ headers, url }) => [headers.host, url, headers.cookie, headers.referer]);
    expect(cookies.toSorted()).toEqual([
      ['cdn.example', '/a/list.m3u8', 'c=1', 'r'],
      ['cdn.example', '/a/seg.ts', 'c=1', 'r'],
      ['other.example', '/seg.ts', undefined, 'r'],
    ]);
  });

  test('gives nodes of 0.1.0, which send all of `headers`, only headers that the segment may receive', async () => {
    const { link } = await relayTo(source);
    const lines = (await (await fetch(link(order))).text()).split('\n').filter((line) => line.startsWith('http'));
    const orders = lines.map((line) => sealer.open('relay-link', new URL(line).pathname.split('/')[2] ?? ''));
    const [own, other] = orders.map((order) => (order as RelayOrder).headers);
    expect(own).toEqual({ cookie: 'c=1', referer: 'r' });
    expect(other).toEqual({ referer: 'r' });
  });

  test('is relayed if a master playlist lists it', async () => {
    const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist.m3u8';
    const { link } = await relayTo((request, response) => {
      if (request.url === '/master') respondWith(200, { 'content-type': hls }, master)(request, response);
      else source(request, response);
    });
    const [, , variant = ''] = (await (await fetch(link({ ...order, url: 'https://a.example/master' }))).text()).split(
      '\n',
    );
    expect((await (await fetch(variant)).text()).split('\n').length).toBe(6);
  });

  test('knows the variables of the master playlist that lists it', async () => {
    const lists: Record<string, string> = {
      '/master?id=7':
        '#EXTM3U\n#EXT-X-DEFINE:NAME="part",VALUE="seg"\n#EXT-X-DEFINE:QUERYPARAM="id"\n' +
        '#EXT-X-STREAM-INF:BANDWIDTH=1\nlist-{$id}',
      '/list-7': '#EXTM3U\n#EXT-X-DEFINE:IMPORT="part"\n#EXTINF:4,\n{$part}.ts\n#EXT-X-ENDLIST',
    };
    const { link } = await relayTo((request, response) => {
      const list = lists[request.url ?? ''];
      if (list === undefined) source(request, response);
      else respondWith(200, { 'content-type': hls }, list)(request, response);
    });
    const master = await (await fetch(link({ ...order, url: 'https://a.example/master?id=7' }))).text();
    const list = await (await fetch(master.split('\n').at(-1) ?? '')).text();
    expect(await (await fetch(list.split('\n')[2] ?? '')).text()).toBe('segment of a.example');
  });

  test('sends cookies only to their origin, whichever playlist lists the segment', async () => {
    const lists: Record<string, string> = {
      'cdn.example/master': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttps://other.example/list',
      'other.example/list': [
        '#EXTM3U',
        ...['https://cdn.example/0', 'https://cdn.example:8443/1', 'http://cdn.example/2', '3'].flatMap((uri) => [
          '#EXTINF:4,',
          uri,
        ]),
      ].join('\n'),
    };
    const { link, sourceRequests } = await relayTo((request, response) => {
      const list = lists[`${request.headers.host}${request.url}`];
      if (list !== undefined) respondWith(200, { 'content-type': hls }, list)(request, response);
      else respondWith(200, { 'content-type': 'video/mp2t' })(request, response);
    });
    const linksIn = async (url: string) =>
      (await (await fetch(url)).text()).split('\n').filter((line) => line.startsWith('http'));
    for (const variant of await linksIn(link({ ...order, url: 'https://cdn.example/master' }))) {
      for (const segment of await linksIn(variant)) await fetch(segment);
    }
    expect(sourceRequests.map(({ headers, url }) => [`${headers.host}${url}`, headers.cookie])).toEqual([
      ['cdn.example/master', 'c=1'],
      ['other.example/list', undefined],
      ['cdn.example/0', 'c=1'],
      ['cdn.example:8443/1', undefined],
      ['cdn.example/2', undefined],
      ['other.example/3', undefined],
    ]);
  });

  test.each([
    [404, hls, '', 404],
    [200, 'text/html', '<html>', 502],
    [200, hls, 'no playlist', 502],
    [200, hls, `#EXTM3U\n${'#'.repeat(5_000_000)}`, 502],
  ])('returns an error if it is not a playlist: %i, %s, %#', async (status, type, body, expected) => {
    const { link } = await relayTo(respondWith(status, { 'content-type': type }, body));
    expect((await fetch(link(order))).status).toBe(expected);
  });
});
