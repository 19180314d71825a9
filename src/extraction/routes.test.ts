import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Account } from '../accounts/keys.ts';
import type { Ledger } from '../accounts/ledger.ts';
import type { VisitorCredits } from '../accounts/visitor-credits.ts';
import { type BlockIndex, noBlocks } from '../blocks/block-index.ts';
import { blocking } from '../blocks/testing/test-blocks.ts';
import { serviceCaller } from '../contract/caller.ts';
import type { ExtractionResult } from '../contract/envelope.ts';
import { MillraceError } from '../contract/errors.ts';
import { itemKeyOf } from '../contract/media-origin.ts';
import type { ResponsePart } from '../contract/parameters.ts';
import {
  countryCodeParameter,
  fieldsParameter,
  renderableFormatsParameter,
  urlAccessParameter,
} from '../contract/parameters.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import { noSubjects } from '../contract/subjects.ts';
import { plans } from '../contract/subscription-plans.ts';
import { readCountryProxy } from '../egress/proxies/proxy-server.ts';
import { openTestExits } from '../egress/testing/exits.ts';
import { createServer } from '../http/server.ts';
import { createLocalMediaHealth } from '../media-health/local-media-health.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Endpoint, EndpointParameters, Platform } from '../platforms/platform.ts';
import { openRelayLink } from '../relay/relay-link.ts';
import { type LongOrder, openOrder } from '../render/jobs/execution-url.ts';
import { createSealer } from '../sealing/sealer.ts';
import { createResultCache } from './cache/result-cache.ts';
import { createRefusalCheck } from './refused-media.ts';
import { addExtractionRoutes, type ExtractionWorld } from './routes.ts';
import { extract } from './source/extract.ts';
import { createSourcePolicy } from './source/source-policy.ts';
import { createSourceHealth } from './source-health/source-health.ts';

const sealer = createSealer(['a secret of the tests']);
const account: Account = { id: 'extraction:1', plan: plans.PRO, test: false };
const exits = openTestExits({ EGRESS_PROXIES: [readCountryProxy('fr=http://proxy.example')] });
const policy = createSourcePolicy({ EGRESS_PACE: undefined, BREAKER: undefined });
/** Creates a ledger that records reservations and charges. */
function fakeLedger() {
  const entries: string[] = [];
  const allowance = { limit: 10_000, remaining: 9_000, reset: 60 };
  const ledger: Ledger = {
    async reserve(_account, _limits, credits) {
      entries.push(`reserve ${credits}`);
      return {
        allowance,
        async settle(cost) {
          entries.push(`settle ${cost}`);
          return allowance;
        },
      };
    },
    async pay(_account, _limits, price) {
      entries.push(`pay ${price}`);
      return allowance;
    },
    close: () => Promise.resolve(),
  };
  const visitorCredits: VisitorCredits = {
    async reserve(_visitor, credits) {
      entries.push(`share ${credits}`);
      return async (cost) => {
        entries.push(`settle share ${cost}`);
      };
    },
  };
  return { ledger, visitorCredits, entries };
}
const expiresAt = Date.now() + 1_000_000;

const media = (url: string, mime_type: string, stream?: SourceMedia['stream']): SourceMedia => ({
  item: { label: '720p', url, repId: '1', metadata: { mime_type, width: 1280, height: 720, has_audio: true } },
  ...(stream === undefined ? {} : { stream }),
});

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Creates a service with one endpoint, which has a video and an image and records the requested parts. */
async function service(
  more: Partial<Endpoint> = {},
  relayOnly = false,
  caller = account,
  linkServices: Partial<Pick<ExtractionWorld, 'healsLinks' | 'storeOrders' | 'blocks'>> = {},
  hasLab = true,
) {
  const partRequests = new Map<ResponsePart, boolean>();
  const optionalParts = ['contents', 'contents.videos', 'metadata.transcript'] as const;
  let extractions = 0;
  const endpoint: Endpoint = {
    path: '/video/details',
    summary: 'A video',
    parameters: Type.Object({
      countryCode: Type.Optional(countryCodeParameter),
      fields: Type.Optional(fieldsParameter),
      urlAccess: Type.Optional(urlAccessParameter),
      renderableFormats: Type.Optional(
        renderableFormatsParameter(Type.String({ pattern: '^(?:[0-9]+p|all)$' }), 'Formats.'),
      ),
    }),
    credits: { usual: 1, relayedOrRendered: 2 },
    contents: true,
    renderables: { matches: (label, format) => label === format, audio: false },
    optionalParts,
    // Reads the link that the test of blocks sends.
    subjects: ({ videoId = '' }) => ({ items: /^(?:.*v=)?(\w+)/.exec(String(videoId))?.slice(1) ?? [] }),
    async extract(_parameters, context) {
      for (const part of optionalParts) partRequests.set(part, context.requestsPart(part));
      const headers = { referer: 'https://site.example/' };
      const stream = {
        ext: 'mp4',
        kind: 'muxed',
        bytes: 1000,
        videoCodec: 'h264',
        audioCodec: 'aac',
        headers,
        relayOnly,
        expiresAt,
      } as const;
      return {
        contents: [
          {
            videos: [media('https://cdn.example/v?sig=1', 'video/mp4; codecs="avc1"', stream)],
            images: [media('https://cdn.example/i', 'image/jpeg')],
            subjects: noSubjects,
          },
        ],
        metadata: { title: 'A title', author: { id: 'a' } },
        linkNotes: ['The links want a Referer.'],
        ...(context.source.country === undefined ? {} : { country: context.source.country }),
      };
    },
    ...more,
  };
  const app = await createServer(pino({ level: 'silent' }));
  const platform: Platform = {
    ...{ id: 'p9', title: 'Test', version: '1', endpoints: [endpoint] },
    channelName: (text) => text,
  };
  const base = 'https://api.example';
  const addresses = () => ({ base, api: base, render: base });
  const metrics = createMetrics();
  const health = createSourceHealth([platform], metrics);
  const fetchSource = health.instrument((query, caller, signal) => {
    extractions += 1;
    return extract(query, caller, { exits, policy }, signal);
  });
  const mediaHealth = createLocalMediaHealth(metrics);
  const isOutdated = createRefusalCheck(mediaHealth);
  const results = createResultCache({ fetchSource, bytes: 1_000_000, metrics, isOutdated });
  const { ledger, visitorCredits, entries } = fakeLedger();
  const authenticate = () => Promise.resolve(caller);
  const unexpected = () => Promise.reject(new Error('no order is that long'));
  const defaults = { healsLinks: false, storeOrders: unexpected, blocks: noBlocks };
  const links = { sealer, addresses, ...defaults, ...linkServices };
  const world = { results, health, mediaHealth, metrics, ...links };
  const liveMetrics = caller.test ? createMetrics() : metrics;
  const live = { ...world, metrics: liveMetrics };
  const worlds = caller.test && hasLab ? { live, test: world } : { live };
  addExtractionRoutes(app, [platform], { authenticate, ledger, visitorCredits, worlds });
  open.push(
    () => app.close(),
    () => results.close(),
  );
  return {
    partRequests,
    mediaHealth,
    metrics,
    liveMetrics,
    entries,
    extractions: () => extractions,
    async ask(query: string) {
      const headers = { 'x-marketplace-key': 'k', 'x-marketplace-host': 'h' };
      const answer = await app.inject({ url: `/p9/v3/video/details?${query}`, headers });
      return { status: answer.statusCode, headers: answer.headers, body: answer.json<ExtractionResult>() };
    },
  };
}

test('a test key is charged nothing, and its responses and failures are marked and counted apart', async () => {
  const failing = { extract: async () => Promise.reject(new MillraceError('unavailable', 'It is private.')) };
  for (const [more, code] of [
    [{}, 'ok'],
    [failing, 'unavailable'],
  ] as const) {
    const { ask, entries, metrics, liveMetrics } = await service(more, false, { ...account, test: true });
    const { body } = await ask('urlAccess=proxied');
    expect(body).toMatchObject({ error: code === 'ok' ? null : { code }, test: true });
    expect(body.notes).toContain('This request cost 0 credits.');
    expect(entries).toEqual(['reserve 0', 'settle 0']);
    const counted = `code="${code}"`;
    const [ofTest, ofLive] = [await metrics.registry.metrics(), await liveMetrics.registry.metrics()];
    expect([ofTest.includes(counted), ofLive.includes(counted)]).toEqual([true, false]);
  }
});

test('a test key gets service_unavailable without the lab, and its response is marked', async () => {
  const { ask } = await service({}, false, { ...account, test: true }, {}, false);
  expect(await ask('')).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' }, test: true } });
});

test('a visitor is charged nothing for cached results and refusals, and for others within its share', async () => {
  const visitor = { ...account, visitor: 'someone' };
  const { ask, entries } = await service({}, false, visitor);
  expect((await ask('')).body.notes?.at(-1)).toContain('1 credit.');
  expect((await ask('')).body.notes?.at(-1)).toContain('0 credits.');
  expect(entries).toEqual(['reserve 1', 'share 1', 'settle share 1', 'settle 1', 'pay 0']);

  const refusal = new MillraceError('not_found', 'No.');
  const refused = await service({ extract: () => Promise.reject(refusal) }, false, visitor);
  for (const _ of [1, 2]) expect((await refused.ask('')).body.error?.code).toBe('not_found');
  expect(refused.entries.filter((entry) => entry.startsWith('settle'))).toEqual([
    ...['settle share 1', 'settle 1', 'settle share 0', 'settle 0'],
  ]);
});

test("a visitor gets only relay links, which count towards the visitor's limit and are named by the title", async () => {
  const extract = async () => ({
    contents: [{ videos: [media('https://cdn.example/v', 'video/mp4')], subjects: noSubjects }],
    metadata: {
      title: 'A title',
      thumbnailUrl: 'https://cdn.example/t',
      author: { url: 'https://site.example/a', thumbnails: [{ url: 'https://cdn.example/a', width: 1, height: 1 }] },
    },
  });
  const { ask } = await service({ extract }, false, { ...account, visitor: 'v1' });
  for (const _again of [1, 2]) {
    const { body, headers } = await ask('');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(JSON.stringify(body)).not.toContain('cdn.example');
    expect(body.metadata.author).toMatchObject({ url: 'https://site.example/a' });
    const [, sealedOrder = '', name] =
      /\/relay\/([\w-]+)\/(.+)$/.exec(body.contents?.[0]?.videos?.[0]?.url ?? '') ?? [];
    expect([name, openRelayLink(sealer, sealedOrder)]).toMatchObject([
      'video.mp4',
      { url: 'https://cdn.example/v', owner: `${account.id}/v1`, title: 'A title' },
    ]);
  }
  expect((await ask('')).body.metadata.thumbnailUrl).toMatch(/^https:\/\/api\.example\/relay\//);
});

describe('urlAccess', () => {
  test.each(['', 'urlAccess=normal'])("'%s' returns the source's own links", async (query) => {
    const { ask } = await service();
    const { body } = await ask(query);
    expect(body.contents?.[0]?.videos?.[0]?.url).toBe('https://cdn.example/v?sig=1');
    expect(body.notes).toEqual(['The links want a Referer.', 'This request cost 1 credit.']);
  });

  test('proxied returns relay links that belong to the key and expire with the source link', async () => {
    const { ask } = await service();
    const { body } = await ask('urlAccess=proxied&countryCode=fr');
    const [content] = body.contents ?? [];
    const [video, image] = [content?.videos?.[0], content?.images?.[0]];
    const expires_at = new Date(expiresAt).toISOString();
    expect(video).toMatchObject({ label: '720p', metadata: { mime_type: 'video/mp4; codecs="avc1"', expires_at } });
    const sealedOrderOf = (url = '') =>
      /^https:\/\/api\.example\/relay\/([\w-]+)\/(?:video\.mp4|image\.jp.?g)$/.exec(url)?.[1] ?? '';
    expect(openRelayLink(sealer, sealedOrderOf(video?.url))).toEqual({
      url: 'https://cdn.example/v?sig=1',
      headers: { referer: 'https://site.example/' },
      exit: 'fr-1',
      mediaType: 'video/mp4',
      owner: account.id,
      origin: {
        platform: 'p9',
        endpoint: '/video/details',
        parameters: { countryCode: 'FR' },
        item: '[["countryCode","FR"]]',
        content: 0,
        subjects: ['p9/channel/a'],
        representation: { repId: '1', kind: 'muxed', expiresAt },
      },
      expiresAt,
    });
    expect(openRelayLink(sealer, sealedOrderOf(image?.url))).toMatchObject({
      url: 'https://cdn.example/i',
      headers: {},
    });
    expect(JSON.stringify(body)).not.toContain('cdn.example');
    expect(body.notes).toEqual(['This request cost 2 credits.']);
  });

  test('normal returns relay links if plain links would not work, and discloses no headers', async () => {
    const { ask } = await service({}, true);
    const { body } = await ask('');
    const [content] = body.contents ?? [];
    expect(content?.videos?.[0]?.url).toMatch(/^https:\/\/api\.example\/relay\//);
    expect(content?.images?.[0]?.url).toBe('https://cdn.example/i');
    expect(JSON.stringify(body)).not.toContain('site.example');
    expect(body.notes).toEqual(['The links want a Referer.', 'This request cost 1 credit.']);
  });

  test('rejects other values', async () => {
    const { ask } = await service();
    expect(await ask('urlAccess=direct')).toMatchObject({ status: 400, body: { error: { parameter: 'urlAccess' } } });
  });
});

describe('the price', () => {
  test.each([
    ['renderableFormats=720p', 2],
    ['renderableFormats=720p&urlAccess=proxied', 2],
    ['renderableFormats=1080p', 1],
    ['renderableFormats=720p&fields=-contents.renderableVideos', 1],
  ])('of %s is %i', async (query, credits) => {
    const { ask } = await service();
    const { body } = await ask(query);
    expect(body.notes?.at(-1)).toBe(`This request cost ${credits} credit${credits === 1 ? '' : 's'}.`);
  });

  test('is fixed if the endpoint has a single price', async () => {
    const { ask } = await service({ credits: 5 });
    expect((await ask('urlAccess=proxied')).body.notes).toEqual(['This request cost 5 credits.']);
    const onlyThen = await service({ credits: { ifSuccessful: 5 } });
    expect((await onlyThen.ask('')).body.notes?.at(-1)).toBe('This request cost 5 credits.');
  });
});

describe('the ledger', () => {
  test.each([
    ['', 1, 1],
    ['renderableFormats=720p', 2, 2],
    ['renderableFormats=1080p', 2, 1],
    ['urlAccess=proxied', 2, 2],
  ])("for '%s' reserves %i credits and charges %i", async (query, reservation, price) => {
    const { ask, entries } = await service();
    const { headers } = await ask(query);
    expect(entries).toEqual([`reserve ${reservation}`, `settle ${price}`]);
    expect(headers).toMatchObject({
      'ratelimit-limit': '10000',
      'ratelimit-remaining': '9000',
      'ratelimit-reset': '60',
    });
  });

  test('is not used for invalid requests', async () => {
    const { ask, entries } = await service();
    expect((await ask('urlAccess=direct')).status).toBe(400);
    expect(entries).toEqual([]);
  });

  test.each([
    ['not_found', 1, { usual: 1, relayedOrRendered: 2 }],
    ['not_found', 0, { ifSuccessful: 5 }],
    ['unsupported_proxy_for_geo_targeting', 0, 1],
  ] as const)('for the source error %s charges %i if the price is %j', async (code, cost, credits) => {
    const { ask, entries } = await service({ credits, extract: () => Promise.reject(new MillraceError(code, 'No.')) });
    const { status, body } = await ask('');
    expect([status, body.error?.code, entries.at(-1)]).toEqual([200, code, `settle ${cost}`]);
    expect(body.notes).toEqual([`This request cost ${cost} credit${cost === 1 ? '' : 's'}.`]);
  });

  test.each([
    ['an invalid link', new MillraceError('invalid_url', 'No.'), 400],
    ['an internal error', new TypeError('oh'), 500],
  ])('releases the whole reservation after %s', async (_, error, expected) => {
    const { ask, entries } = await service({ extract: () => Promise.reject(error) });
    const { status } = await ask('renderableFormats=720p');
    expect([status, ...entries]).toEqual([expected, 'reserve 2', 'settle 0']);
  });
});

describe('fields', () => {
  test('informs the endpoint of the requested parts and removes the others', async () => {
    const { ask, partRequests } = await service();
    const { body } = await ask('fields=metadata.author');
    expect(body).toEqual({
      error: null,
      metadata: { title: 'A title', author: { id: 'a' } },
      notes: ['This request cost 1 credit.'],
    });
    expect(Object.fromEntries(partRequests)).toEqual({
      contents: false,
      'contents.videos': false,
      'metadata.transcript': false,
    });
  });

  test.each(['', 'fields=', 'fields=,'])("'%s' requests everything", async (query) => {
    const { ask, partRequests } = await service();
    expect((await ask(query)).body).toMatchObject({ contents: [{}], metadata: { author: {} } });
    expect([...partRequests.values()]).toEqual([true, true, true]);
  });

  test('lists the allowed values in its error message', async () => {
    const { ask } = await service();
    const { status, body } = await ask('fields=contents,contents.files');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_params', parameter: 'fields' });
    expect(body.error?.message).toContain('contents.renderableVideos');
  });
});

describe('a block of the operator', () => {
  test('refuses what a request names before anything is extracted, and charges nothing', async () => {
    const blocks = blocking('item', 'p9', 'one');
    const parameters = Type.Object({ videoId: Type.Optional(Type.String()) });
    const { ask, extractions, entries } = await service({ parameters }, false, account, { blocks });
    for (const videoId of ['one', 'https://site.example/watch?v=one&t=1']) {
      const { status, body } = await ask(`videoId=${encodeURIComponent(videoId)}`);
      expect([status, body.error]).toMatchObject([
        451,
        {
          ...{ code: 'blocked', statusCode: 451, retryable: false, reason: 'Court order 7' },
          message: 'The operator of this service has blocked this item: Court order 7.',
        },
      ]);
    }
    expect((await ask('videoId=other')).status).toBe(200);
    expect([extractions(), entries]).toEqual([1, ['reserve 1', 'settle 1']]);
  });

  test('refuses the results of a blocked channel, also those that are cached', async () => {
    let index = noBlocks;
    const blocks: BlockIndex = {
      ...noBlocks,
      get hasSubjects() {
        return index.hasSubjects;
      },
      refusalOf: (subjects) => index.refusalOf(subjects),
    };
    const { ask, extractions, entries } = await service({}, false, account, { blocks });
    expect((await ask('')).status).toBe(200);
    index = blocking('channel', 'p9', 'a');
    for (const query of ['', 'urlAccess=proxied', 'countryCode=FR']) expect((await ask(query)).status).toBe(451);
    expect(extractions()).toBe(2);
    expect(entries.slice(2)).toEqual(['reserve 1', 'settle 0']);
    index = noBlocks;
    expect((await ask('')).status).toBe(200);
  });
});

describe('an extraction', () => {
  test('serves all equivalent requests, each in the requested form', async () => {
    const { ask, extractions } = await service();
    const plain = await ask('');
    expect(plain.headers).toMatchObject({ 'cache-control': 'private, max-age=120', vary: 'X-Marketplace-Key' });
    expect(plain.headers).not.toHaveProperty('age');
    const proxiedResponse = await ask('urlAccess=proxied');
    const renderableResponse = await ask('renderableFormats=720p,1080p');
    expect(extractions()).toBe(1);
    for (const { headers } of [proxiedResponse, renderableResponse]) {
      const vary = expect.stringMatching(/^X-Marketplace-Key(?:, accept-encoding)?$/);
      expect(headers).toMatchObject({ 'cache-control': 'private, no-store', age: '0', vary });
    }
    expect(proxiedResponse.body.contents?.[0]?.videos?.[0]?.url).toContain('/relay/');
    const items = renderableResponse.body.contents?.[0]?.renderableVideos ?? [];
    expect(items.map((item) => 'renderConfig' in item)).toEqual([true, false]);
    const again = (await ask('')).body;
    expect(again).toEqual(plain.body);
    await ask('fields=metadata.author');
    expect(extractions()).toBe(2);
  });

  test('that fails is not cached, and frequent failures are noted in the response', async () => {
    const failure = new MillraceError('connection_error', 'The site closed the connection.');
    const { ask, metrics } = await service({ extract: () => Promise.reject(failure) });
    for (let time = 0; time < 10; time += 1) {
      const { status, headers, body } = await ask('');
      expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
      expect(body).toMatchObject({ error: { code: 'connection_error' }, contents: [], metadata: {} });
      const failureNote = expect.stringMatching(/^p9 has failed for 100 % of requests since \d\d:\d\d UTC\.$/);
      expect(body.notes).toEqual([...(time < 9 ? [] : [failureNote]), 'This request cost 1 credit.']);
    }
    expect((await ask('urlAccess=wrong')).body).not.toHaveProperty('notes');
    const { values = [] } = (await metrics.registry.getSingleMetric('millrace_requests_total')?.get()) ?? {};
    expect(values.map(({ labels: { code }, value }) => [code, value])).toEqual([
      ['connection_error', 10],
      ['invalid_params', 1],
    ]);
  });

  describe('whose media is refused afterwards', () => {
    const profiles = { first: 'https://cdn.example/1', second: 'https://cdn.example/2' };
    const originOf = (videoId: EndpointParameters[string]) => ({
      platform: 'p9',
      endpoint: '/video/details',
      parameters: { videoId },
      item: JSON.stringify(videoId === undefined ? [] : [['videoId', videoId]]),
    });
    /** Returns links of the profile that media health prefers. */
    const open = async () => {
      const opened = await service({
        async extract({ videoId }) {
          const place = { platform: 'p9', exit: 'direct' };
          const itemKey = itemKeyOf(originOf(videoId));
          const [profile] = opened.mediaHealth.order(place, itemKey, ['first', 'second']) as ['first' | 'second'];
          return {
            contents: [{ videos: [media(profiles[profile], 'video/mp4')], subjects: noSubjects }],
            metadata: {},
            profile,
          };
        },
      });
      const end = (outcome: 'refused' | 'arrived', videoId: string | undefined, profile: string) => {
        const origin = { ...originOf(videoId), content: 0, profile };
        opened.mediaHealth.report({
          consumer: 'render',
          caller: serviceCaller,
          origin,
          exit: 'direct',
          outcome,
          bytes: 0,
        });
      };
      const refuse = (videoId: string | undefined, profile = 'first') => end('refused', videoId, profile);
      const arrive = (videoId: string) => end('arrived', videoId, 'first');
      const linkOf = async () => (await opened.ask('')).body.contents?.[0]?.videos?.[0]?.url;
      return { ...opened, refuse, arrive, linkOf };
    };

    test('is repeated with another client profile', async () => {
      const { refuse, linkOf, extractions } = await open();
      expect([await linkOf(), await linkOf(), extractions()]).toEqual([profiles.first, profiles.first, 1]);
      refuse(undefined);
      expect([await linkOf(), await linkOf(), extractions()]).toEqual([profiles.second, profiles.second, 2]);
    });

    test('is not repeated for a refusal of another item or another profile', async () => {
      const { refuse, arrive, linkOf, extractions } = await open();
      await linkOf();
      arrive('another');
      refuse('another');
      refuse(undefined, 'second');
      expect([await linkOf(), extractions()]).toEqual([profiles.first, 1]);
    });

    test('has a note if media of the profile is often refused', async () => {
      const { refuse, ask } = await open();
      refuse(undefined, 'second');
      expect((await ask('')).body.notes).toEqual(['This request cost 1 credit.']);
      for (const item of ['a', 'b', 'c', 'd']) for (const profile of ['second', 'first']) refuse(item, profile);
      expect((await ask('')).body.notes).toEqual([
        expect.stringMatching(/^Media links of p9 were refused for 100 % of fetches since \d\d:\d\d UTC\.$/),
        'This request cost 1 credit.',
      ]);
    });
  });
});

describe('an execution URL', () => {
  const hour = 3_600_000;
  /** Returns the lifetimes of the execution URLs in milliseconds. */
  async function lifetimes(healsLinks: boolean, sourceExpiry: number | undefined): Promise<number[]> {
    const expiring = sourceExpiry === undefined ? {} : { expiresAt: now + sourceExpiry };
    const stream = {
      ext: 'mp4',
      kind: 'muxed',
      bytes: 1000,
      videoCodec: 'h264',
      audioCodec: 'aac',
      ...expiring,
    } as const;
    const video = media('https://cdn.example/v', 'video/mp4', stream);
    const extract = async () => ({ contents: [{ videos: [video], subjects: noSubjects }], metadata: {} });
    const { ask } = await service({ extract }, false, account, { healsLinks });
    const { body } = await ask('renderableFormats=720p');
    return orderTexts(body).map((text) => openOrder(sealer, text).expiresAt - now);
  }

  const now = Date.parse('2026-11-26T00:00:00Z');
  beforeEach(() => {
    vi.spyOn(Date, 'now').mockReturnValue(now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([[undefined], [hour], [-hour], [48 * hour]])(
    'is valid for 24 h if source links are replaced, and they expire in %s ms',
    async (sourceExpiry) => {
      expect(await lifetimes(true, sourceExpiry)).toEqual([24 * hour]);
    },
  );

  test.each([
    [undefined, 6 * hour],
    [hour, hour],
    [48 * hour, 6 * hour],
  ])('of source links that are not replaced and expire in %s ms is valid for %i ms', async (sourceExpiry, lifetime) => {
    expect(await lifetimes(false, sourceExpiry)).toEqual([lifetime]);
  });
});

describe('an order that is too long for its URL', () => {
  const stream = { ext: 'mp4', kind: 'muxed', bytes: 1000, videoCodec: 'h264', audioCodec: 'aac' } as const;
  const longLink = `https://cdn.example/${'0123456789abcdef'.repeat(20)}/`;
  const extract = async () => ({
    contents: [
      {
        videos: [media(`${longLink}${randomBytes(5_000).toString('hex')}`, 'video/mp4', stream)],
        subjects: noSubjects,
      },
      { videos: [media(longLink, 'video/mp4', stream)], subjects: noSubjects },
    ],
    metadata: {},
  });
  const query = 'renderableFormats=720p';

  test('is stored before the response is charged and sent', async () => {
    const stored: LongOrder[] = [];
    let chargedBefore: string[] = [];
    const storeOrders = async (orders: readonly LongOrder[]) => {
      chargedBefore = entries.filter((entry) => !entry.startsWith('reserve'));
      stored.push(...orders);
    };
    const { ask, entries } = await service({ extract }, false, account, { storeOrders });
    for (const count of [1, 2]) {
      entries.splice(0);
      const [long = '', short = ''] = orderTexts((await ask(query)).body);
      expect(chargedBefore).toEqual([]);
      expect(entries).toEqual(['reserve 2', 'settle 2']);
      expect(stored).toHaveLength(count);
      expect(openOrder(sealer, long).content).toMatchObject({ orderId: stored.at(-1)?.orderId });
      expect(stored.at(-1)?.order).toMatchObject({
        description: { id: openOrder(sealer, long).jobId },
        origin: { platform: 'p9', content: 0 },
      });
      expect(openOrder(sealer, short).content).toHaveProperty('description');
    }
    expect(new Set(stored.map(({ orderId }) => orderId)).size).toBe(2);
  });

  test('that cannot be stored leads to an error of its item only, which is not cached', async () => {
    const storeOrders = () => Promise.reject(new Error('the password is hunter2'));
    const { ask } = await service({ extract }, false, account, { storeOrders });
    const { status, body, headers } = await ask(query);
    expect([status, body.error]).toEqual([200, null]);
    expect(body.contents?.[0]?.renderableVideos).toEqual([
      { label: '720p', error: expect.stringMatching(/could not be prepared/) },
    ]);
    expect(body.contents?.[1]?.renderableVideos).toMatchObject([{ renderConfig: {} }]);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(headers['cache-control']).toBe('private, no-store');
  });

  test('that exceeds a quota leads to an error of its item that states why', async () => {
    const storeOrders = () => Promise.reject(new MillraceError('rate_limited', 'Too many are stored.'));
    const { ask } = await service({ extract }, false, account, { storeOrders });
    const { status, body } = await ask(query);
    expect([status, body.error]).toEqual([200, null]);
    const [first, second] = body.contents ?? [];
    expect(first?.renderableVideos).toEqual([{ label: '720p', error: 'Too many are stored.' }]);
    expect(second?.renderableVideos).toMatchObject([{ renderConfig: {} }]);
  });

  test('that cannot be stored is not charged as a render', async () => {
    const only = async () => ({ contents: (await extract()).contents.slice(0, 1), metadata: {} });
    const storeOrders = () => Promise.reject(new Error('no'));
    const { ask, entries } = await service({ extract: only }, false, account, { storeOrders });
    expect((await ask(query)).headers['cache-control']).toBe('private, no-store');
    expect(entries).toEqual(['reserve 2', 'settle 1']);
  });
});

/** Returns the sealed parts of the execution URLs of a response. */
function orderTexts({ contents = [] }: ExtractionResult): string[] {
  return contents.flatMap(({ renderableVideos = [] }) =>
    renderableVideos.flatMap(({ renderConfig }) =>
      renderConfig === undefined ? [] : [new URL(renderConfig.executionUrl).searchParams.get('order') ?? ''],
    ),
  );
}
