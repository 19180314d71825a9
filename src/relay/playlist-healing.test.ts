import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { fresh, healerOf, inTurn, origin, relayToHosts } from './testing/healing-relay.ts';
import { codeOf, file, respondWith, sealer, serveFile } from './testing/test-relay.ts';

const hls = 'application/vnd.apple.mpegurl';
const order = { url: 'https://cdn.example/list.m3u8', mediaType: hls, headers: { cookie: 'old=1' } };
const media = (...lines: readonly string[]) => ['#EXTM3U', ...lines, '#EXT-X-ENDLIST'].join('\n');
const segments = (folder: string) => media('#EXTINF:4,', `${folder}/1.ts`, '#EXTINF:4,', `${folder}/2.ts`);
const freshList = (url: string, profile = 'other') => fresh({ url, ext: 'm3u8' }, profile);

/** A host whose playlists are given by their paths, and whose other files have the same content. */
const hostOf =
  (playlists: Record<string, string>, behaviour: RequestListener = serveFile): RequestListener =>
  (request, response) => {
    const playlist = playlists[request.url ?? ''];
    if (playlist === undefined) behaviour(request, response);
    else respondWith(200, { 'content-type': hls }, playlist)(request, response);
  };
const refusing = (status = 403) => respondWith(status, {});

/** Returns the links in a playlist. */
async function linksIn(url: string): Promise<string[]> {
  const text = await (await fetch(url)).text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const textOf = async (url = '', range?: string) =>
  (await fetch(url, range === undefined ? {} : { headers: { range } })).text();

describe('a relayed playlist that the source refuses', () => {
  test('is replaced, and lists the members of the new link', async () => {
    const healer = healerOf(freshList('https://new.example/b/list.m3u8'));
    const { link, sourceRequests, outcomes } = await relayToHosts(
      { 'cdn.example': refusing(404), 'new.example': hostOf({ '/b/list.m3u8': segments('c') }) },
      healer,
    );
    const [member = ''] = await linksIn(link(order));
    const sealed = sealer.open('relay-link', new URL(member).pathname.split('/')[2] ?? '');
    expect(sealed).toMatchObject({ url: 'https://new.example/b/c/1.ts', headers: {} });
    expect(sealed).not.toHaveProperty('origin');
    expect(await textOf(member)).toBe('0123456789');
    expect(sourceRequests.map(({ headers, url }) => [headers.host, url, headers.cookie])).toEqual([
      ['cdn.example', '/list.m3u8', 'old=1'],
      ['new.example', '/b/list.m3u8', undefined],
      ['new.example', '/b/c/1.ts', undefined],
    ]);
    expect(outcomes()).toEqual([['best', 'refused', 404, 0]]);
  });

  test('is refused with the words of the platform', async () => {
    const healer = healerOf(new MillraceError('signin_required', 'Sign in first.'));
    const { link } = await relayToHosts({ 'cdn.example': refusing() }, healer);
    const response = await fetch(link(order));
    expect([response.status, await codeOf(response)]).toEqual([401, 'signin_required']);
  });
});

describe('a segment that the source refuses', () => {
  const old = hostOf({ '/list.m3u8': segments('a') }, refusing());

  test.each([401, 403, 404, 410])('with %i is read at its place in a new playlist', async (status) => {
    const healer = healerOf(freshList('https://new.example/n/list.m3u8'));
    const hosts = {
      'cdn.example': hostOf({ '/list.m3u8': segments('a') }, refusing(status)),
      'new.example': hostOf({ '/n/list.m3u8': segments('b') }),
    };
    const { link, sourceRequests, outcomes } = await relayToHosts(hosts, healer);
    const [first, second] = await linksIn(link(order));
    expect(await textOf(second, 'bytes=2-4')).toBe('234');
    expect(await textOf(first)).toBe('0123456789');
    expect(sourceRequests.map(({ headers, url }) => [headers.host, url, headers.cookie])).toEqual([
      ['cdn.example', '/list.m3u8', 'old=1'],
      ['cdn.example', '/a/2.ts', 'old=1'],
      ['new.example', '/n/list.m3u8', undefined],
      ['new.example', '/n/b/2.ts', undefined],
      ['new.example', '/n/b/1.ts', undefined],
    ]);
    expect(healer.requests).toMatchObject([{ failedProfiles: ['best'], owner: 'someone', item: origin }]);
    expect(outcomes().map(([profile, outcome]) => [profile, outcome])).toEqual([
      ['best', 'refused'],
      ['other', 'arrived'],
    ]);
  });

  test('after some of its bytes continues at the same byte', async () => {
    const broken: RequestListener = (request, response) => {
      if (request.headers.range !== undefined) return refusing()(request, response);
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': file.length });
      response.write(file.subarray(0, 4), () => response.destroy());
    };
    const hosts = {
      'cdn.example': hostOf({ '/list.m3u8': segments('a') }, broken),
      'new.example': hostOf({ '/list.m3u8': segments('b') }),
    };
    const { link, requests, outcomes } = await relayToHosts(
      hosts,
      healerOf(freshList('https://new.example/list.m3u8')),
    );
    const [first] = await linksIn(link(order));
    expect(await textOf(first)).toBe('0123456789');
    expect(requests().at(-1)).toEqual(['new.example', 'bytes=4-9']);
    expect(outcomes()).toEqual([['best', 'cut', 403, 4]]);
  });

  test('shares one new playlist with all other segments', async () => {
    const healer = healerOf(freshList('https://new.example/list.m3u8'));
    const hosts = { 'cdn.example': old, 'new.example': hostOf({ '/list.m3u8': segments('b') }) };
    const { link, sourceRequests } = await relayToHosts(hosts, healer);
    const members = await linksIn(link(order));
    expect(await Promise.all(members.map((member) => textOf(member)))).toEqual(['0123456789', '0123456789']);
    const paths = sourceRequests.filter(({ headers }) => headers.host === 'new.example').map(({ url }) => url);
    expect(paths.toSorted()).toEqual(['/b/1.ts', '/b/2.ts', '/list.m3u8']);
    expect(healer.requests).toHaveLength(1);
  });

  test('is replaced again when the new playlist is refused, and when its segments are', async () => {
    const healer = healerOf(
      freshList('https://new.example/1.m3u8', 'second'),
      freshList('https://new.example/2.m3u8', 'third'),
      freshList('https://last.example/list.m3u8', 'last'),
    );
    const hosts = {
      'cdn.example': old,
      'new.example': hostOf({ '/2.m3u8': segments('b') }, refusing()),
      'last.example': hostOf({ '/list.m3u8': segments('c') }),
    };
    const { link, outcomes } = await relayToHosts(hosts, healer);
    const [, second] = await linksIn(link(order));
    expect(await textOf(second)).toBe('0123456789');
    expect(healer.requests.map(({ failedProfiles }) => failedProfiles.at(-1))).toEqual(['best', 'second', 'third']);
    expect(outcomes().map(([profile, outcome]) => [profile, outcome])).toEqual([
      ['second', 'refused'],
      ['best', 'refused'],
      ['third', 'refused'],
    ]);
  });

  test('is found below a master playlist, and so is a refused media playlist', async () => {
    const master = (folder: string) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${folder}/v.m3u8`;
    const healer = healerOf(freshList('https://new.example/list.m3u8'));
    const refusingFrom = (turn: number) => {
      const behaviours = Array<RequestListener>(turn).fill(
        hostOf({ '/list.m3u8': master('a'), '/a/v.m3u8': segments('b') }),
      );
      return inTurn(...behaviours, refusing());
    };
    const better = hostOf({ '/list.m3u8': master('c'), '/c/v.m3u8': segments('d') });
    for (const turn of [1, 2]) {
      const hosts = { 'cdn.example': refusingFrom(turn), 'new.example': better };
      const { link, sourceRequests } = await relayToHosts(hosts, { heal: healer.heal.bind(undefined) });
      healer.requests.length = 0;
      const [variant = ''] = await linksIn(link(order));
      const [first] = await linksIn(variant);
      expect(await textOf(first)).toBe('0123456789');
      expect(sourceRequests.at(-1)?.url).toBe('/c/d/1.ts');
      expect(healer.requests).toHaveLength(1);
    }
  });

  test('that the new playlist lacks as well does not end the others', async () => {
    const lacking = hostOf({ '/list.m3u8': segments('a') }, inTurn(refusing(404), serveFile));
    const hosts = { 'cdn.example': lacking, 'new.example': hostOf({ '/list.m3u8': segments('b') }, refusing()) };
    const { link } = await relayToHosts(hosts, healerOf(freshList('https://new.example/list.m3u8')));
    const [first = '', second = ''] = await linksIn(link(order));
    expect([(await fetch(first)).status, await textOf(second)]).toEqual([403, '0123456789']);
  });

  test('is read from a playlist that has the same URL as before and other segments', async () => {
    const playlist = inTurn(hostOf({ '/list.m3u8': segments('a') }), hostOf({ '/list.m3u8': segments('b') }));
    const host: RequestListener = (request, response) =>
      (request.url === '/list.m3u8' ? playlist : request.url?.startsWith('/a/') ? refusing() : serveFile)(
        request,
        response,
      );
    const healer = healerOf(freshList(order.url));
    const { link } = await relayToHosts({ 'cdn.example': host }, healer);
    for (const member of await linksIn(link(order))) expect(await textOf(member)).toBe('0123456789');
    expect(healer.requests).toHaveLength(1);
  });

  test('costs one new link if the platform returns the same playlist again', async () => {
    const healer = healerOf(freshList(order.url), freshList(order.url), freshList(order.url));
    const { link } = await relayToHosts({ 'cdn.example': old }, healer);
    const [first = ''] = await linksIn(link({ ...order, headers: {} }));
    expect([(await fetch(first)).status, healer.requests.length]).toEqual([403, 1]);
  });

  test('is not replaced if it has left the window of a live playlist', async () => {
    const live = '#EXTM3U\n#EXTINF:4,\na/1.ts';
    const healer = healerOf();
    for (const status of [404, 410, 403]) {
      const hosts = { 'cdn.example': hostOf({ '/list.m3u8': live }, refusing(status)) };
      const { link, outcomes } = await relayToHosts(hosts, healer);
      const [first = ''] = await linksIn(link(order));
      expect((await fetch(first)).status).toBe(status);
      expect(outcomes()).toEqual(status === 403 ? [['best', 'refused', 403, 0]] : []);
    }
    expect(healer.requests).toHaveLength(1);
  });

  test.each([
    ['lists other segments', media('#EXTINF:4,', 'b/1.ts', '#EXTINF:5,', 'b/2.ts')],
    ['lists fewer segments', media('#EXTINF:4,', 'b/1.ts')],
    ['lists other ranges', media('#EXTINF:4,', '#EXT-X-BYTERANGE:5@0', 'b/1.ts', '#EXTINF:4,', 'b/2.ts')],
    ['is not a playlist', 'text'],
  ])('stays refused if the new playlist %s', async (_what, playlist) => {
    const hosts = { 'cdn.example': old, 'new.example': hostOf({ '/list.m3u8': playlist }) };
    const { link } = await relayToHosts(hosts, healerOf(freshList('https://new.example/list.m3u8')));
    const [first = ''] = await linksIn(link(order));
    const response = await fetch(first);
    expect([response.status, await codeOf(response)]).toEqual([403, 'unavailable']);
  });

  test('is refused with the words of the platform', async () => {
    const { link } = await relayToHosts({ 'cdn.example': old }, healerOf(new MillraceError('not_found', 'Gone.')));
    const [first = ''] = await linksIn(link(order));
    const response = await fetch(first);
    expect([response.status, await codeOf(response)]).toEqual([404, 'not_found']);
  });

  test('is never read from an internal address', async () => {
    const { link, requests } = await relayToHosts(
      { 'cdn.example': old },
      healerOf(freshList('http://169.254.169.254/list.m3u8')),
    );
    const [first = ''] = await linksIn(link(order));
    expect((await fetch(first)).status).toBe(403);
    expect(requests().map(([host]) => host)).toEqual(['cdn.example', 'cdn.example']);
  });
});

describe('the arrival of a playlist', () => {
  test('is reported once, with the bytes of all segments', async () => {
    const { link, outcomes } = await relayToHosts(
      { 'cdn.example': hostOf({ '/list.m3u8': segments('a') }) },
      undefined,
    );
    const [first, second] = await linksIn(link(order));
    await textOf(second);
    expect(outcomes()).toEqual([]);
    await textOf(first);
    await textOf(second);
    expect(outcomes()).toEqual([['best', 'arrived', undefined, 20]]);
  });

  test('is not reported if a segment is cut, which is reported once', async () => {
    const hosts = { 'cdn.example': hostOf({ '/list.m3u8': segments('a') }, inTurn(serveFile, refusing())) };
    const { link, outcomes } = await relayToHosts(hosts, undefined);
    const [first, second] = await linksIn(link(order));
    for (const member of [first, second, second]) await textOf(member);
    expect(outcomes()).toEqual([['best', 'cut', 403, 10]]);
  });

  test('that breaks off does not hide that a segment is cut', async () => {
    const breakOff: RequestListener = (_request, response) => void response.destroy();
    const hosts = {
      'cdn.example': hostOf({ '/list.m3u8': segments('a') }, inTurn(serveFile, breakOff, refusing())),
    };
    const { link, outcomes } = await relayToHosts(hosts, undefined);
    const [first, second] = await linksIn(link(order));
    for (const member of [first, second, second]) await textOf(member);
    expect(outcomes().map(([, outcome]) => outcome)).toEqual(['failed', 'cut']);
  });

  test('is reported before its end when a link without a token would have been cut', async () => {
    const mebibyte = Buffer.alloc(2 ** 20);
    const listed = media(...Array.from({ length: 9 }, (_, index) => `#EXTINF:4,\n${index}.ts`));
    const respond: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(mebibyte);
    };
    const fast = { ...origin, representation: { ...origin.representation, bitrate: 800_000 } };
    const { link, outcomes } = await relayToHosts(
      { 'cdn.example': hostOf({ '/list.m3u8': listed }, respond) },
      undefined,
    );
    const members = await linksIn(link({ ...order, origin: fast }));
    for (const member of members) await textOf(member);
    // 75 s of 800 kbit/s are 7.5 MB.
    expect(outcomes()).toEqual([['best', 'arrived', undefined, 8 * 2 ** 20]]);
  });

  test('whose links are all refused is reported once, also by its reloads', async () => {
    const hosts = { 'cdn.example': inTurn(hostOf({ '/list.m3u8': segments('a') }), refusing()) };
    const { link, outcomes } = await relayToHosts(hosts, undefined);
    const url = link(order);
    const members = await linksIn(url);
    for (const each of [...members, url, url]) await textOf(each);
    expect(outcomes()).toEqual([['best', 'refused', 403, 0]]);
  });
});
