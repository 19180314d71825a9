import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import type { FreshLinks } from '../link-healing/fresh-links.ts';
import type { LinkHealer } from '../link-healing/link-healer.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { fresh, healerOf, inTurn, origin, relayToHosts } from './testing/healing-relay.ts';
import { codeOf, file, respondWith, serveFile } from './testing/test-relay.ts';

const nothing: FreshLinks = { links: [undefined] };

/** Sends the requested bytes up to a position, and then breaks the connection. */
const breakAt =
  (position: number, headers: Record<string, string> = {}): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const [, first, last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(first ?? 0), last === '' ? file.length - 1 : Number(last)];
    response.writeHead(first === undefined ? 200 : 206, {
      'content-type': 'video/mp4',
      'content-length': end - start + 1,
      ...(first === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${file.length}` }),
      ...headers,
    });
    response.write(file.subarray(start, Math.max(start, position)), () => response.destroy());
  };

describe('a relay link that the source refuses', () => {
  test.each([401, 403, 404, 410])('with %i is replaced before the caller gets a byte', async (status) => {
    const healer = healerOf(fresh());
    const { link, outcomes } = await relayToHosts({ 'cdn.example': respondWith(status, {}) }, healer);
    const response = await fetch(link());
    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    expect(healer.requests).toEqual([
      {
        item: origin,
        representations: [origin.representation],
        exit: 'direct',
        failedProfiles: ['best'],
        subject: expect.stringMatching(/^[\w-]{43}$/),
        owner: 'someone',
        input: 0,
      },
    ]);
    expect(outcomes()).toEqual([
      ['best', 'refused', status, 0],
      ['other', 'arrived', undefined, 10],
    ]);
  });

  test('is replaced for a range and for HEAD, with the conditions of the caller', async () => {
    const healer = healerOf(fresh());
    const { link, sourceRequests } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, healer);
    const part = await fetch(link(), { headers: { range: 'bytes=2-4', 'if-range': '"abc"' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    expect(sourceRequests.at(-1)?.headers).toMatchObject({ host: 'new.example', 'if-range': '"abc"' });
    const head = await fetch(link(), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    const outside = await fetch(link(), { headers: { range: 'bytes=99-' } });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  });

  test.each(['"<script>"', "' or 1=1 --", 'W/"abc"'])('cannot be caused by the condition %s', async (condition) => {
    const refuseUnusual: Parameters<typeof relayToHosts>[0][string] = (request, response) => {
      if (request.headers['if-range'] === undefined) serveFile(request, response);
      else respondWith(403, {})(request, response);
    };
    const healer = healerOf(fresh());
    const { link, outcomes } = await relayToHosts({ 'cdn.example': refuseUnusual }, healer);
    const response = await fetch(link(), { headers: { range: 'bytes=2-4', 'if-range': condition } });
    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    expect([healer.requests, outcomes()]).toEqual([[], [['best', 'arrived', undefined, 10]]]);
  });

  test('is replaced once for all requests of a player', async () => {
    const started = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const healer = healerOf(fresh());
    const heal = vi.fn<LinkHealer['heal']>(async (...call) => {
      started.resolve();
      await proceed.promise;
      return healer.heal(...call);
    });
    const { link, requests } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, { heal });
    const url = link();
    const both = ['bytes=0-3', 'bytes=4-9'].map(async (range) => (await fetch(url, { headers: { range } })).text());
    await started.promise;
    await expect.poll(() => requests().length).toBe(2);
    proceed.resolve();
    expect(await Promise.all(both)).toEqual(['0123', '456789']);
    expect(await (await fetch(url, { headers: { range: 'bytes=9-' } })).text()).toBe('9');
    expect(heal).toHaveBeenCalledTimes(1);
    expect(requests().slice(-1)).toEqual([['new.example', 'bytes=9-']]);
  });

  test('is replaced for each sealed link, and counted together with other links to the same representation', async () => {
    const healer = healerOf(fresh(), fresh(), fresh());
    const { link } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, healer);
    const others = [
      {},
      { url: 'https://cdn.example/later' },
      { url: 'https://cdn.example/audio', origin: { ...origin, representation: { repId: '137', kind: 'audio' } } },
    ] as const;
    for (const order of others) await fetch(link(order));
    const [first, second, third] = healer.requests.map(({ subject }) => subject);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('is replaced again, while the profiles that failed are asked last', async () => {
    const healer = healerOf(fresh(), fresh({ url: 'https://last.example/file' }, 'last'));
    const hosts = {
      'cdn.example': respondWith(403, {}),
      'new.example': respondWith(404, {}),
      'last.example': serveFile,
    };
    const { link, outcomes } = await relayToHosts(hosts, healer);
    expect(await (await fetch(link())).text()).toBe('0123456789');
    expect(healer.requests.map(({ failedProfiles }) => failedProfiles)).toEqual([['best'], ['best', 'other']]);
    expect(outcomes().map(([profile, outcome]) => [profile, outcome])).toEqual([
      ['best', 'refused'],
      ['other', 'refused'],
      ['last', 'arrived'],
    ]);
  });

  test('is replaced at most four times for one response', async () => {
    const links = Array.from({ length: 9 }, (_, index) => fresh({ url: `https://new.example/${index}` }));
    const healer = healerOf(...links);
    const hosts = { 'cdn.example': respondWith(403, {}), 'new.example': respondWith(403, {}) };
    const { link } = await relayToHosts(hosts, healer);
    expect((await fetch(link())).status).toBe(403);
    expect(healer.requests).toHaveLength(4);
  });

  test('is replaced once if the platform returns the same link again', async () => {
    const healer = healerOf(...Array<FreshLinks>(9).fill(fresh()));
    const hosts = { 'cdn.example': respondWith(403, {}), 'new.example': respondWith(403, {}) };
    const { link, requests } = await relayToHosts(hosts, healer);
    expect((await fetch(link())).status).toBe(403);
    expect([healer.requests.length, requests().length]).toEqual([2, 2]);
  });

  test('is used again if its replacement dies and there is no other', async () => {
    const hosts = {
      'cdn.example': inTurn(respondWith(403, {}), serveFile),
      'new.example': inTurn(serveFile, respondWith(403, {})),
    };
    const { link } = await relayToHosts(hosts, healerOf(fresh(), undefined));
    for (const _request of [1, 2]) expect(await (await fetch(link())).text()).toBe('0123456789');
  });

  test.each(['not_found', 'unavailable', 'signin_required', 'age_restricted'] as const)(
    "is refused with the platform's own %s, which is remembered",
    async (code) => {
      const refusal = new MillraceError(code, 'The platform says no.');
      const healer = healerOf(refusal, refusal);
      const { link, requests } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, healer);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const response = await fetch(link());
        expect(response.status).toBe(refusal.status);
        expect(await response.json()).toMatchObject({ error: { code, message: 'The platform says no.' } });
      }
      expect([healer.requests.length, requests().length]).toEqual([1, 2]);
    },
  );

  test.each([
    ['the healer returns nothing', healerOf(undefined)],
    ['the item no longer has the representation', healerOf(nothing)],
    ['the platform could not be asked', healerOf(new MillraceError('rate_limited', 'Too many.'))],
    ['the new link is a playlist', healerOf(fresh({ ext: 'm3u8' }))],
    ['the new link has expired', healerOf(fresh({ expiresAt: Date.now() - 1 }))],
    ['there is no healer', undefined],
  ])('fails as before if %s', async (_what, healer) => {
    const { link, requests } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, healer);
    const response = await fetch(link());
    expect([response.status, await codeOf(response)]).toEqual([403, 'unavailable']);
    expect(requests()).toEqual([['cdn.example', undefined]]);
  });

  test.each([
    [1, 'a refusal for good', new MillraceError('not_found', 'Gone.')],
    [2, 'a passing refusal', new MillraceError('signin_required', 'Sign in first.', { retryable: true })],
  ])('asks the platform %i times in two requests after %s', async (times, _what, refusal) => {
    const healer = healerOf(refusal, refusal);
    const { link } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, healer);
    for (const _again of [1, 2]) expect(await codeOf(await fetch(link()))).toBe(refusal.code);
    expect(healer.requests).toHaveLength(times);
  });

  test('is not replaced if it names no origin', async () => {
    const healer = healerOf(fresh());
    const { plainLink, reports } = await relayToHosts({ 'cdn.example': respondWith(410, {}) }, healer);
    expect((await fetch(plainLink())).status).toBe(410);
    expect([healer.requests, reports]).toEqual([[], []]);
  });

  test('sends its cookies to no other host, and the new ones only to theirs', async () => {
    const healer = healerOf(fresh({ headers: { cookie: 'fresh=2', referer: 'https://site.example/' } }));
    const { link, sourceRequests } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, healer);
    await fetch(link({ headers: { cookie: 'old=1', 'x-token': 'old' } }));
    expect(sourceRequests.map(({ headers }) => [headers.host, headers.cookie, headers['x-token']])).toEqual([
      ['cdn.example', 'old=1', 'old'],
      ['new.example', 'fresh=2', undefined],
    ]);
  });

  test.each([
    'http://169.254.169.254/latest',
    'http://localhost:22/',
    'file:///etc/passwd',
    'https://u:p@new.example/',
  ])('is never replaced by %s', async (url) => {
    const { link, requests } = await relayToHosts({ 'cdn.example': respondWith(403, {}) }, healerOf(fresh({ url })));
    const response = await fetch(link());
    expect([response.status, await codeOf(response)]).toEqual([403, 'address_refused']);
    expect(requests()).toEqual([['cdn.example', undefined]]);
  });
});

describe('a relay link whose source has expired', () => {
  const expired = { ...origin, representation: { ...origin.representation, expiresAt: Date.now() - 1_000 } };

  test('is replaced without a request to the source, and no profile is to blame', async () => {
    const healer = healerOf(fresh());
    const { link, requests, outcomes } = await relayToHosts({}, healer);
    expect(await (await fetch(link({ origin: expired }))).text()).toBe('0123456789');
    expect(requests()).toEqual([['new.example', undefined]]);
    expect(healer.requests[0]?.failedProfiles).toEqual([]);
    expect(outcomes()).toEqual([['other', 'arrived', undefined, 10]]);
  });

  test('has expired if it cannot be replaced', async () => {
    const { link, requests } = await relayToHosts({}, undefined);
    const response = await fetch(link({ origin: expired }));
    expect([response.status, await codeOf(response)]).toEqual([410, 'token_expired']);
    expect(requests()).toEqual([]);
  });
});

describe('a relayed file whose source breaks', () => {
  test('continues at the same byte through the same link', async () => {
    const healer = healerOf();
    const hosts = { 'cdn.example': inTurn(breakAt(4), breakAt(7), breakAt(10)) };
    const { link, requests, outcomes } = await relayToHosts(hosts, healer);
    expect(await (await fetch(link())).text()).toBe('0123456789');
    expect(requests().map(([, range]) => range)).toEqual([undefined, 'bytes=4-9', 'bytes=7-9']);
    expect(outcomes()).toEqual([['best', 'arrived', undefined, 10]]);
    expect(healer.requests).toEqual([]);
  });

  test('is continued with shorter ranges than requested, as often as it takes', async () => {
    const one = (at: number, total = '10'): RequestListener =>
      respondWith(206, { 'content-type': 'video/mp4', 'content-range': `bytes ${at}-${at}/${total}` }, String(at));
    const hosts = { 'cdn.example': inTurn(breakAt(4), one(4), one(5), one(6), one(7), one(8), one(9)) };
    const { link, requests, outcomes } = await relayToHosts(hosts, healerOf());
    expect(await (await fetch(link())).text()).toBe('0123456789');
    expect(requests().map(([, range]) => range)).toEqual([
      undefined,
      ...[4, 5, 6, 7, 8, 9].map((at) => `bytes=${at}-9`),
    ]);
    expect(outcomes()).toEqual([['best', 'arrived', undefined, 10]]);
  });

  test('whose range has an unknown total is complete only with all of its bytes', async () => {
    const partly = respondWith(206, { 'content-type': 'video/mp4', 'content-range': 'bytes 1-8/*' }, '1234');
    const { link, outcomes } = await relayToHosts({ 'cdn.example': partly }, healerOf());
    const response = await fetch(link(), { headers: { range: 'bytes=1-8' } });
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(outcomes().map(([, outcome]) => outcome)).toEqual(['failed']);
  });

  test('is cut off if the same link then has another version', async () => {
    const hosts = { 'cdn.example': inTurn(breakAt(4, { etag: '"1"' }), breakAt(10, { etag: '"2"' })) };
    const { link, requests, outcomes } = await relayToHosts(hosts, healerOf());
    await expect(fetch(link()).then((response) => response.text())).rejects.toThrow(TypeError);
    expect([requests().length, outcomes()]).toEqual([2, [['best', 'failed', undefined, 4]]]);
  });

  test('is given up after three breaks', async () => {
    const { link, requests, outcomes } = await relayToHosts({ 'cdn.example': breakAt(2) }, healerOf());
    await expect(fetch(link()).then((response) => response.text())).rejects.toThrow(TypeError);
    expect(requests()).toHaveLength(4);
    expect(outcomes()).toEqual([['best', 'failed', undefined, 2]]);
  });

  test('continues at the same byte through another link if the source then refuses the link', async () => {
    const healer = healerOf(fresh());
    const { link, requests, outcomes } = await relayToHosts(
      { 'cdn.example': inTurn(breakAt(4, { etag: '"other"' }), respondWith(403, {})) },
      healer,
    );
    expect(await (await fetch(link(), { headers: { range: 'bytes=1-8' } })).text()).toBe('12345678');
    expect(requests()).toEqual([
      ['cdn.example', 'bytes=1-8'],
      ['cdn.example', 'bytes=4-8'],
      ['new.example', 'bytes=4-8'],
    ]);
    expect(outcomes()).toEqual([
      ['best', 'cut', 403, 3],
      ['other', 'arrived', undefined, 5],
    ]);
  });

  const part = (range: string, type = 'video/mp4', body = '456789') =>
    respondWith(206, { 'content-type': type, 'content-range': range }, body);
  test.each([
    ['another size', part('bytes 4-9/11')],
    ['another position', part('bytes 3-9/10')],
    ['another end', part('bytes 4-8/10')],
    ['another type', part('bytes 4-9/10', 'video/webm')],
    ['a web page', part('bytes 4-9/10', 'text/html')],
    ['more bytes', part('bytes 4-9/10', 'video/mp4', '456789 and more')],
    ['the whole file', respondWith(200, { 'content-type': 'video/mp4', 'content-length': '10' }, '0123456789')],
    ['no range', respondWith(416, { 'content-range': 'bytes */3' })],
    ['an error', respondWith(503, {})],
  ])('is cut off if the new link has %s', async (_what, replacement) => {
    const hosts = { 'cdn.example': inTurn(breakAt(4), respondWith(403, {})), 'new.example': replacement };
    const { link, outcomes } = await relayToHosts(hosts, healerOf(fresh()));
    const response = await fetch(link());
    expect(response.headers.get('content-length')).toBe('10');
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(outcomes().map(([profile, outcome]) => [profile, outcome])).toEqual([
      ['best', 'cut'],
      ['other', 'failed'],
    ]);
  });

  test('is cut off if the platform then refuses the item', async () => {
    const hosts = { 'cdn.example': inTurn(breakAt(4), respondWith(403, {})) };
    const { link, outcomes } = await relayToHosts(hosts, healerOf(new MillraceError('not_found', 'Gone.')));
    await expect(fetch(link()).then((response) => response.text())).rejects.toThrow(TypeError);
    // An item that is gone does not count against the client profile.
    expect(outcomes().map(([profile, outcome]) => [profile, outcome])).toEqual([['best', 'died']]);
  });

  test('is not reported if the caller disconnects', async () => {
    const closed = Promise.withResolvers<void>();
    const hang: RequestListener = (_request, response) => {
      response.once('close', () => closed.resolve());
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 10 }).write('0123');
    };
    const { link, reports, requests } = await relayToHosts({ 'cdn.example': hang }, healerOf());
    const disconnect = new AbortController();
    const response = await fetch(link(), { signal: disconnect.signal });
    await response.body?.getReader().read();
    disconnect.abort();
    await closed.promise;
    expect(await (await fetch(link({ url: 'https://new.example/file' }))).text()).toBe('0123456789');
    expect([reports.length, requests().length]).toEqual([1, 2]);
  });

  test('arrives unchanged, or is cut off, wherever its links break and die', async () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.integer({ min: 0, max: file.length }).map((position) => breakAt(position)) },
      { weight: 1, arbitrary: fc.constantFrom(401, 403, 404, 410).map((status) => respondWith(status, {})) },
      { weight: 1, arbitrary: fc.constant(breakAt(file.length)) },
    );
    const range = fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    const cases = fc.sample(fc.tuple(fc.array(step, { minLength: 1, maxLength: 6 }), range), {
      numRuns: propertyRuns(60),
      seed: 11,
    });
    let behaviour: RequestListener = serveFile;
    const hosts = Object.fromEntries(
      ['cdn.example', 'new.example'].map((host) => [
        host,
        (...call: Parameters<RequestListener>) => behaviour(...call),
      ]),
    );
    const { link } = await relayToHosts(hosts, { heal: async () => fresh() });
    let complete = 0;
    for (const [index, [steps, [first, last]]] of cases.entries()) {
      behaviour = inTurn(...steps);
      const url = link({ url: `https://cdn.example/${index}` });
      const text = await fetch(url, { headers: { range: `bytes=${first}-${last}` } })
        .then(async (response) => (response.ok ? response.text() : undefined))
        .catch(() => undefined);
      if (text === undefined) continue;
      complete += 1;
      expect(text).toBe(file.toString().slice(first, last + 1));
    }
    expect(complete).toBeGreaterThan(cases.length / 4);
  });
});
