import { describe, expect, it } from 'vitest';
import type { Extraction } from '../../platform.ts';
import type { Reply } from '../../testing/fake-site.ts';
import { defaultSite } from '../site.ts';
import { details, kinds, late, pinId, type Replies, shell, site } from '../testing/pin-site.ts';
import { page, pictureUrl, relayPin, resource, resourceRefusal, restPin } from '../testing/pins.ts';
import { pinDetails } from './pin-details.ts';

const address = `https://www.pinterest.com/pin/${pinId}/`;
const source = ({ metadata }: Extraction) => metadata.additionalData?.source;

describe('pin details', () => {
  it('returns media and metadata after one request', async () => {
    const world = site({ resource: { body: resource(restPin) } });
    const { contents, metadata, ...rest } = await details(world);
    expect(kinds(world)).toEqual(['resource']);
    expect(rest).toEqual({ unread: {} });
    expect(contents?.map(Object.keys)).toEqual([['images', 'subjects']]);
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

  it("sends the same request as the site's own page", async () => {
    const world = site({ resource: { body: resource(restPin) } });
    await details(world);
    const [request] = world.requests;
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

  it('requests the larger field set when the first response may lack items of the pin', async () => {
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

  it("requests a story's pages when the response only names the story, and succeeds without them", async () => {
    const { story_pin_data, ...pinWithoutStory } = { ...restPin, story_pin_data_id: '5' };
    const world = site({ resource: { body: resource(pinWithoutStory) }, detailed: { status: 503, body: '<html>' } });
    const { contents, notes, incomplete, unread } = await details(world);
    expect(kinds(world)).toEqual(['resource', 'detailed']);
    expect(contents).toHaveLength(1);
    expect(notes).toEqual([expect.stringMatching(/^The pages of the story are missing: .*503/)]);
    expect([incomplete, unread]).toEqual([true, {}]);
    const changed = site({
      resource: { body: resource(pinWithoutStory) },
      detailed: { body: resource(pinWithoutStory) },
    });
    expect((await details(changed)).unread).toEqual({ story_pin_data: 1 });
  });

  it('stays on the regional host that the site redirects to and resends the headers', async () => {
    const regional = 'https://de.pinterest.com';
    const world = site({
      resource: ({ url }) =>
        url.origin === regional
          ? { body: resource(restPin) }
          : { status: 403, body: resourceRefusal(403, 'no'), url: `${regional}/resource/PinResource/get/` },
    });
    expect(source(await details(world))).toBe('resource');
    expect(world.requests.map(({ url }) => url.origin)).toEqual(['https://www.pinterest.com', regional]);
    expect(world.requests[1]?.headers).toMatchObject({ 'x-pinterest-pws-handler': 'www/[username].js' });
  });

  it.each<[string, (url: string) => Replies]>([
    ['a pin', (url) => ({ resource: { body: resource(restPin), url } })],
    ['a page', (url) => ({ page: { body: page(pinId, relayPin(restPin)), url } })],
    ['status 404', (url) => ({ page: { status: 404, body: '', url } })],
    ['an incomplete pin', (url) => ({ page: shell, oembed: { body: { thumbnail_url: pictureUrl('236x') }, url } })],
  ])('ignores a response of another site with %s', async (_, replies) => {
    const world = site({ resource: late(), ...replies(`https://evil.example/pin/${pinId}/`) });
    await expect(details(world)).rejects.toMatchObject({ retryable: true });
    expect(world.requests.every(({ url }) => url.hostname === 'www.pinterest.com')).toBe(true);
  });

  it('returns both IDs of a pin that was merged into another', async () => {
    const { metadata } = await details(site({ resource: { body: resource({ ...restPin, id: '777777' }) } }));
    expect(metadata.additionalData).toMatchObject({ id: '777777', requestedId: pinId });
  });

  it("returns the country of the extraction's exit", async () => {
    const { context } = site({ resource: { body: resource(restPin) } });
    const inFrance = { ...context, source: context.sourceIn('FR') };
    await expect(pinDetails(defaultSite).extract({ pinId }, inFrance)).resolves.toMatchObject({ country: 'FR' });
  });
});

describe('pin links', () => {
  it('are read without a request when they contain the ID', async () => {
    const world = site({ resource: { body: resource(restPin) } });
    await details(world, { pinId: `https://ru.pinterest.com/pin/some-title--${pinId}/` });
    expect(kinds(world)).toEqual(['resource']);
  });

  it('that are short are followed', async () => {
    const world = site({
      short: { status: 302, body: '', headers: { location: `${address}sent/?invite_code=abc` } },
      resource: { body: resource(restPin) },
    });
    await details(world, { pinId: 'https://pin.it/4AbCdEf' });
    expect(kinds(world)).toEqual(['short', 'resource']);
    expect(world.requests[0]).toMatchObject({
      url: { href: 'https://api.pinterest.com/url_shortener/4AbCdEf/redirect/' },
      followRedirects: false,
    });
  });

  it.each<[string, Reply, string]>([
    ['nowhere', { status: 404, body: '' }, 'not_found'],
    ['to the start page', { status: 302, body: '', headers: { location: '/' } }, 'not_found'],
    [
      'to another site',
      { status: 302, body: '', headers: { location: `https://a.example/pin/${pinId}/` } },
      'not_found',
    ],
    ['to a page of the short-link host', { body: '<html>' }, 'not_found'],
    ['to an invalid address', { status: 302, body: '', headers: { location: 'http://[' } }, 'not_found'],
    ['to a rate limit', { status: 429, body: '' }, 'non_2xx_response'],
    ['to a server error', { status: 503, body: '' }, 'non_2xx_response'],
    ['too slowly', late(), 'operation_timeout'],
  ])('that lead %s are reported', async (_, short, code) => {
    const world = site({ short, resource: { body: resource(restPin) } });
    await expect(details(world, { pinId: 'https://pin.it/4AbCdEf' })).rejects.toMatchObject({ code });
    expect(kinds(world)).toEqual(['short']);
  });

  it.each([
    ['https://www.dailymotion.com/video/x96ndxe', 'invalid_platform_url'],
    ['https://www.pinterest.com/someone/', 'invalid_url'],
    ['abc', 'invalid_params'],
  ])('such as %s are rejected without sending a request', async (value, code) => {
    const world = site({});
    await expect(details(world, { pinId: value })).rejects.toMatchObject({ code, parameter: 'pinId' });
    expect(world.requests).toEqual([]);
  });
});
