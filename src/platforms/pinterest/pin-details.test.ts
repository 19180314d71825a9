import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { fakeSite, type Reply, type SeenRequest } from '../testing/fake-site.ts';
import { createPinDetails } from './pin-details.ts';
import { defaultPinterestSite } from './site.ts';
import {
  headOnly,
  olderPage,
  oldestPage,
  page,
  pictureUrl,
  relayPin,
  resource,
  resourceRefusal,
  restPin,
  restVideos,
} from './testing/pins.ts';

const pinId = '31454897393552949';
const address = `https://www.pinterest.com/pin/${pinId}/`;
const down = () => new MillraceError('connection_error', 'No connection.');
const late = () => new MillraceError('operation_timeout', 'Late.');
const gone = { __typename: 'PinNotFound', __isError: 'PinNotFound' };
const shell: Reply = { body: '<html><body>Pinterest</body></html>' };

/** Which request of the chain this is. */
function kindOf({ url }: SeenRequest): 'resource' | 'detailed' | 'page' | 'oembed' | 'short' {
  if (url.pathname.startsWith('/url_shortener/')) return 'short';
  if (url.pathname === '/oembed.json') return 'oembed';
  if (url.pathname.startsWith('/pin/')) return 'page';
  return url.searchParams.get('data')?.includes('"detailed"') ? 'detailed' : 'resource';
}

type Replies = { [Kind in ReturnType<typeof kindOf>]?: Reply | ((request: SeenRequest) => Reply) };

function site(replies: Replies, surroundings = {}) {
  return fakeSite((request) => {
    const reply = replies[kindOf(request)] ?? down();
    return typeof reply === 'function' ? reply(request) : reply;
  }, surroundings);
}

const details = ({ context }: ReturnType<typeof site>, parameters: Record<string, string> = { pinId }) =>
  createPinDetails(defaultPinterestSite)(parameters, context);
const kinds = ({ seen }: ReturnType<typeof site>) => seen.map(kindOf);
const source = ({ metadata }: Awaited<ReturnType<typeof details>>) => metadata.additionalData?.source;

describe('pin details', () => {
  it('answers with media and metadata after one request', async () => {
    const world = site({ resource: { body: resource(restPin) } });
    const { contents, metadata, ...rest } = await details(world);
    expect(kinds(world)).toEqual(['resource']);
    expect(rest).toEqual({});
    expect(contents?.map(Object.keys)).toEqual([['images']]);
    const pinner = {
      id: '11',
      name: 'Saver',
      handle: 'saver',
      url: 'https://www.pinterest.com/saver/',
      followerCount: 3,
    };
    const originPinner = { id: '12', name: 'First', handle: 'first', url: 'https://www.pinterest.com/first/' };
    expect(metadata).toEqual({
      title: 'A title',
      thumbnailUrl: pictureUrl('originals', undefined, 'png'),
      author: { ...originPinner, pinner, originPinner },
      additionalData: {
        id: pinId,
        source: 'resource',
        url: address,
        description: 'Words #one #two for @someone',
        hashtags: ['one', 'two'],
        mentions: ['someone'],
        createdAt: '2025-10-16T03:38:01.000Z',
        createdText: 'Thu, 16 Oct 2025 03:38:01 +0000',
        link: 'https://example.com/a',
        domain: 'example.com',
        board: { id: '13', name: 'Board', url: 'https://www.pinterest.com/saver/board/' },
        statistics: { saveCount: 5 },
        reactions: { 1: 7 },
      },
    });
  });

  it("asks as the site's own page does", async () => {
    const world = site({ resource: { body: resource(restPin) } });
    await details(world);
    const [request] = world.seen;
    expect(request?.url.origin).toBe('https://www.pinterest.com');
    expect(JSON.parse(request?.url.searchParams.get('data') ?? '')).toEqual({
      options: { id: pinId, field_set_key: 'unauth_react_main_pin' },
    });
    expect(request?.url.searchParams.get('source_url')).toBe(`/pin/${pinId}/`);
    expect(request?.headers).toMatchObject({
      'x-pinterest-pws-handler': 'www/[username].js',
      'x-requested-with': 'XMLHttpRequest',
      'user-agent': expect.stringMatching(/Chrome/),
    });
    expect(request?.headers).not.toHaveProperty('cookie');
  });

  it('asks for the larger set of fields where the first leaves open what a pin holds', async () => {
    const { story_pin_data, carousel_data, videos, ...bare } = restPin;
    const carousel = { carousel_slots: [{ title: 'One', images: restPin.images }, { images: restPin.images }] };
    const world = site({
      resource: { body: resource(bare) },
      detailed: { body: resource({ ...restPin, carousel_data: carousel }) },
    });
    const { contents, metadata } = await details(world);
    expect(kinds(world)).toEqual(['resource', 'detailed']);
    expect(contents).toHaveLength(3);
    expect(metadata.additionalData).toMatchObject({ source: 'resource', carousel: [{ title: 'One' }, {}] });
  });

  it('asks for the pages of a story that is only named, and does without them', async () => {
    const { story_pin_data, ...named } = { ...restPin, story_pin_data_id: '5' };
    const world = site({ resource: { body: resource(named) }, detailed: { status: 503, body: '<html>' } });
    const { contents } = await details(world);
    expect(kinds(world)).toEqual(['resource', 'detailed']);
    expect(contents).toHaveLength(1);
  });

  it('stays at the regional host that the site sends it to, where its headers are not lost', async () => {
    const regional = 'https://de.pinterest.com';
    const world = site({
      resource: ({ url }) =>
        url.origin === regional
          ? { body: resource(restPin) }
          : { status: 403, body: resourceRefusal(403, 'no'), url: `${regional}/resource/PinResource/get/` },
    });
    expect(source(await details(world))).toBe('resource');
    expect(world.seen.map(({ url }) => url.origin)).toEqual(['https://www.pinterest.com', regional]);
    expect(world.seen[1]?.headers).toMatchObject({ 'x-pinterest-pws-handler': 'www/[username].js' });
  });

  it('does not follow to a host that is not of the site', async () => {
    const world = site({ resource: { body: '<html>', url: 'https://evil.example/resource/PinResource/get/' } });
    await expect(details(world)).rejects.toMatchObject({ code: 'invalid_response_data' });
    expect(world.seen.every(({ url }) => url.hostname === 'www.pinterest.com')).toBe(true);
  });

  it('tells both numbers of a pin that was merged into another', async () => {
    const { metadata } = await details(site({ resource: { body: resource({ ...restPin, id: '777777' }) } }));
    expect(metadata.additionalData).toMatchObject({ id: '777777', requestedId: pinId });
  });

  it('tells the country of its exit', async () => {
    const { context } = site({ resource: { body: resource(restPin) } });
    const inFrance = { ...context, source: context.sourceIn('FR') };
    await expect(createPinDetails(defaultPinterestSite)({ pinId }, inFrance)).resolves.toMatchObject({ country: 'FR' });
  });
});

describe('links', () => {
  it('take the number out of the address', async () => {
    const world = site({ resource: { body: resource(restPin) } });
    await details(world, { pinId: `https://ru.pinterest.com/pin/some-title--${pinId}/` });
    expect(kinds(world)).toEqual(['resource']);
  });

  it('that are short are followed', async () => {
    const world = site({
      short: { body: 'a page', url: `${address}sent/?invite_code=abc` },
      resource: { body: resource(restPin) },
    });
    await details(world, { pinId: 'https://pin.it/4AbCdEf' });
    expect(kinds(world)).toEqual(['short', 'resource']);
    expect(world.seen[0]?.url.href).toBe('https://api.pinterest.com/url_shortener/4AbCdEf/redirect/');
  });

  it.each<[string, Reply, string]>([
    ['nowhere', { status: 404, body: '' }, 'not_found'],
    ['to the start page', { body: '', url: 'https://www.pinterest.com/' }, 'not_found'],
    ['to another site', { body: '', url: 'https://evil.example/pin/31454897393552949/' }, 'not_found'],
    ['into a throttle', { status: 429, body: '' }, 'non_2xx_response'],
    ['into a fault', { status: 503, body: '' }, 'non_2xx_response'],
    ['too slowly', late(), 'operation_timeout'],
  ])('that lead %s', async (_, short, code) => {
    const world = site({ short, resource: { body: resource(restPin) } });
    await expect(details(world, { pinId: 'https://pin.it/4AbCdEf' })).rejects.toMatchObject({ code });
    expect(kinds(world)).toEqual(['short']);
  });

  it.each([
    ['https://www.dailymotion.com/video/x96ndxe', 'invalid_platform_url'],
    ['https://www.pinterest.com/someone/', 'invalid_url'],
    ['abc', 'invalid_params'],
  ])('such as %s are refused without asking', async (value, code) => {
    const world = site({});
    await expect(details(world, { pinId: value })).rejects.toMatchObject({ code, parameter: 'pinId' });
    expect(world.seen).toEqual([]);
  });
});

describe('the chain', () => {
  const relay = relayPin({ entityId: pinId, title: 'Of the page', imageSpec_orig: { url: pictureUrl('originals') } });

  it.each<[string, Reply]>([
    ['has no connection', down()],
    ['is late', late()],
    ['is throttled', { status: 429, body: resourceRefusal(429, 'slow down') }],
    ['is challenged', { status: 403, body: '<html>Just a moment' }],
    ['is no longer there', { status: 404, body: '<html>' }],
    ['wants a user', { status: 403, body: resourceRefusal(403, 'no') }],
    ['is broken', { body: '{"resource_response":{"data":{"id":"1' }],
    ['is empty', { body: '' }],
    ['has no pin', { body: resource(null) }],
    ['has a pin without media', { body: resource({ id: pinId, title: 'x' }) }],
  ])('goes on to the page where the JSON interface %s', async (_, reply) => {
    const world = site({ resource: reply, detailed: reply, page: { body: page(pinId, relay) } });
    const answer = await details(world);
    expect(kinds(world).filter((kind) => kind !== 'detailed')).toEqual(['resource', 'page']);
    expect(answer.metadata.title).toBe('Of the page');
    expect(source(answer)).toBe('page');
    expect(world.seen.at(-1)?.headers).not.toHaveProperty('x-pinterest-pws-handler');
  });

  it.each([
    ['2025', page(pinId, relay)],
    ['2024', olderPage(pinId, relay)],
    ['2023', oldestPage(pinId, { ...restPin, videos: restVideos })],
  ])('reads a page of %s', async (_, body) => {
    const { contents } = await details(site({ page: { body } }));
    expect(contents?.at(-1)?.images).not.toHaveLength(0);
  });

  it('takes the number that the page was moved to', async () => {
    const body = page('777777', relayPin({ entityId: '777777', imageSpec_orig: { url: pictureUrl('originals') } }));
    const world = site({ page: { body, url: 'https://de.pinterest.com/pin/777777/' } });
    expect((await details(world)).metadata.additionalData).toMatchObject({ id: '777777', requestedId: pinId });
  });

  it('looks at a page twice whose data are missing', async () => {
    let asked = 0;
    const world = site({ page: () => (asked++ === 0 ? shell : { body: page(pinId, relay) }) });
    expect(source(await details(world))).toBe('page');
    expect(kinds(world)).toEqual(['resource', 'page', 'page']);
  });

  it('reads the head of a page whose data stay missing', async () => {
    const world = site({ page: { body: headOnly } });
    const answer = await details(world);
    expect(kinds(world)).toEqual(['resource', 'page', 'page']);
    expect(answer.metadata).toMatchObject({
      title: 'A headline',
      thumbnailUrl: pictureUrl('originals'),
      author: { handle: 'maker', pinner: { handle: 'saver', name: 'Saver' } },
      additionalData: {
        source: 'page_meta',
        description: 'Words & more',
        createdAt: '2025-10-16T03:38:01.000Z',
        duration: 70,
      },
    });
    expect(answer.contents?.[0]?.videos?.[0]?.item).toMatchObject({
      label: '720p',
      metadata: { width: 720, height: 1280 },
    });
    expect(answer.contents?.[1]?.images?.map(({ item }) => item.label)).toEqual(['orig', '736x1104']);
  });

  it('asks oEmbed last', async () => {
    const oembed = {
      title: 'T',
      author_name: 'Saver',
      author_url: 'https://www.pinterest.com/saver/',
      thumbnail_url: pictureUrl('236x'),
      thumbnail_width: 236,
      thumbnail_height: 354,
    };
    const world = site({ page: shell, oembed: { body: oembed } });
    const answer = await details(world);
    expect(kinds(world)).toEqual(['resource', 'page', 'page', 'oembed']);
    expect(world.seen.at(-1)?.url.searchParams.get('url')).toBe(address);
    expect(source(answer)).toBe('oembed');
    expect(answer.metadata).toMatchObject({ title: 'T', author: { handle: 'saver' } });
    expect(answer.contents?.[0]?.images?.[0]?.item).toMatchObject({ label: '236x354', repId: '236x' });
  });

  it('does not ask again for a page that was refused', async () => {
    const world = site({ page: { status: 429, body: 'slow down' } });
    await expect(details(world)).rejects.toMatchObject({ code: 'connection_error', retryable: true });
    expect(kinds(world)).toEqual(['resource', 'page', 'oembed']);
  });

  it('passes on what is no answer of the site', async () => {
    const bug = new TypeError('a bug');
    await expect(details(site({ resource: bug }))).rejects.toBe(bug);
    await expect(details(site({ page: bug }))).rejects.toBe(bug);
    const { story_pin_data, carousel_data, videos, ...bare } = restPin;
    await expect(details(site({ resource: { body: resource(bare) }, detailed: bug }))).rejects.toBe(bug);
  });

  it("stops where the answer's time is over", async () => {
    const world = site({}, { signal: AbortSignal.abort(new Error('over')) });
    await expect(details(world)).rejects.toMatchObject({ code: 'connection_error' });
    expect(kinds(world)).toEqual(['resource']);
  });
});

describe('refusals', () => {
  const wall: Reply = { body: '<html>Log in', url: `https://www.pinterest.com/login/?next=/pin/${pinId}/` };
  const hidden = resource({ ...restPin, is_hidden: true });
  const unsafe = relayPin({ entityId: pinId, isUnsafe: true, imageSpec_orig: { url: pictureUrl('originals') } });

  it.each<[string, Replies, Record<string, unknown>, number]>([
    [
      'the JSON interface knows no pin',
      { resource: { status: 404, body: resourceRefusal(404, 'Pin not found.') } },
      { code: 'not_found', reason: 'Pin not found.' },
      1,
    ],
    [
      'its refusal comes with status 200',
      { resource: { body: resourceRefusal(404, 'Pin not found.') } },
      { code: 'not_found' },
      1,
    ],
    [
      'the page knows no pin',
      { page: { body: page(pinId, gone, gone) } },
      { code: 'not_found', reason: 'PinNotFound' },
      2,
    ],
    ['the page is gone', { page: { status: 404, body: '' } }, { code: 'not_found' }, 2],
    ['oEmbed knows no pin', { page: shell, oembed: { status: 404, body: '' } }, { code: 'not_found' }, 4],
    ['the pin is hidden', { resource: { body: hidden } }, { code: 'unavailable', retryable: false }, 1],
    ['the pin is held back', { page: { body: page(pinId, unsafe) } }, { code: 'unavailable', retryable: false }, 2],
    [
      'the story was deleted',
      { resource: { body: resource({ id: pinId, story_pin_data: { is_deleted: true } }) } },
      { code: 'not_found' },
      1,
    ],
    [
      'there are no media',
      { resource: { body: resource({ ...restPin, images: {}, image_signature: null }) } },
      { code: 'unavailable', retryable: true },
      3,
    ],
    [
      'a user is wanted',
      { resource: { status: 401, body: resourceRefusal(401, 'no') }, page: wall },
      { code: 'signin_required', retryable: false },
      2,
    ],
    ['the page is behind a wall', { page: wall }, { code: 'signin_required' }, 2],
    [
      'a user is wanted and the page fails',
      { resource: { status: 403, body: resourceRefusal(403, 'no') }, page: { status: 503, body: '' } },
      { code: 'non_2xx_response', retryable: true },
      3,
    ],
    [
      'everything is throttled',
      { resource: { status: 429, body: '' }, page: { status: 429, body: '' }, oembed: { status: 429, body: '' } },
      { code: 'non_2xx_response', retryable: true },
      3,
    ],
    [
      'a challenge stands before all',
      {
        resource: { status: 403, body: '<html>' },
        page: { status: 403, body: '<html>' },
        oembed: { status: 403, body: '<html>' },
      },
      { code: 'non_2xx_response' },
      3,
    ],
    [
      'only shells come',
      { resource: shell, page: shell, oembed: shell },
      { code: 'invalid_response_data', retryable: true },
      4,
    ],
  ])('%s', async (_, replies, expected, requests) => {
    const world = site(replies);
    await expect(details(world)).rejects.toMatchObject(expected);
    expect(world.seen).toHaveLength(requests);
  });

  it('keep what else went wrong as their cause', async () => {
    await expect(details(site({ page: { status: 503, body: '' } }))).rejects.toMatchObject({
      code: 'connection_error',
      cause: { errors: [{ code: 'connection_error' }, { code: 'non_2xx_response' }, { code: 'connection_error' }] },
    });
  });
});
