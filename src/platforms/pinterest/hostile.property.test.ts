import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { startCpuClock } from '../../testing/cpu-clock.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { damaged } from '../testing/damaged-text.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { pinDetails } from './endpoints/pin-details.ts';
import { defaultSite } from './site.ts';
import { headOnly, olderPage, page, pictureUrl, relayPin, resource, restPin, restVideos } from './testing/pins.ts';

const pinId = restPin.id;
const story = {
  pages: [
    { blocks: [{ block_type: 2, image_signature: restPin.image_signature }] },
    { blocks: [{ type: 'story_pin_video_block', video: restVideos }], imageSpec_1200x: { url: pictureUrl('1200x') } },
  ],
};
const whole = { ...restPin, story_pin_data: story, carousel_data: { carousel_slots: [{ images: restPin.images }] } };
const bodies = {
  resource: JSON.stringify(resource(whole)),
  page: page(pinId, relayPin(whole), relayPin({ entityId: pinId, storyPinData: story })),
  older: olderPage(pinId, relayPin(whole)),
  head: headOnly,
};

/** A known pin whose members have values of arbitrary types. */
const reshaped = fc
  .record(
    Object.fromEntries(
      [...Object.keys(whole), 'embed', 'gifs', 'closeup_attribution', 'pin_join', 'storyPinData', 'carouselData'].map(
        (name) => [name, fc.jsonValue({ maxDepth: 3 })],
      ),
    ),
    { requiredKeys: [] },
  )
  .map((members) => JSON.stringify(resource({ ...whole, ...members, id: pinId })));

async function extractOrRefuse(json: string, html: string, status: number): Promise<void> {
  const { context } = fakeSite(({ url }) => ({ status, body: url.pathname.startsWith('/pin/') ? html : json }));
  try {
    const { contents = [], metadata } = await pinDetails(defaultSite).extract({ pinId }, context);
    expect(contents.length).toBeGreaterThan(0);
    expect(contents.length).toBeLessThan(250);
    for (const { videos = [], audios = [], images = [] } of contents) {
      expect(videos.length + audios.length + images.length).toBeGreaterThan(0);
      for (const list of [videos, audios, images]) {
        expect(new Set(list.map(({ item }) => item.repId)).size).toBe(list.length);
        for (const { item } of list) {
          expect(item.url).toMatch(/^https?:\/\/[^#]+$/);
          expect(item.label).not.toBe('');
          expect(item.metadata.mime_type).toMatch(/^(image|video|audio|application)\//);
          expect(Number.isSafeInteger(item.metadata.width * item.metadata.height)).toBe(true);
        }
      }
    }
    expect(typeof (metadata.title ?? '')).toBe('string');
    JSON.stringify(metadata);
  } catch (error) {
    expect(error).toBeInstanceOf(MillraceError);
  }
}

describe('hostile responses', () => {
  it('produce a valid result or a MillraceError', async () => {
    const json = fc.oneof(fc.constant(bodies.resource), damaged(bodies.resource), reshaped);
    const html = fc.oneof(damaged(bodies.page), damaged(bodies.older), damaged(bodies.head));
    const status = fc.constantFrom(200, 200, 403, 500);
    await fc.assert(fc.asyncProperty(json, html, status, extractOrRefuse), { seed: 6, numRuns: propertyRuns(200) });
  });

  it('produce a valid result from only the page, or a MillraceError', async () => {
    const html = fc.oneof(damaged(bodies.page), damaged(bodies.older), damaged(bodies.head));
    await fc.assert(
      fc.asyncProperty(html, (text) => extractOrRefuse('', text, 200)),
      { seed: 7, numRuns: propertyRuns(200) },
    );
  });

  const call = 'window.__PWS_RELAY_REGISTER_COMPLETED_REQUEST__("';
  const query = encodeURIComponent(JSON.stringify({ variables: { pinId } }));
  it.each([
    ['open depth', '{"a":'.repeat(500_000)],
    ['closed depth', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['closed lists', `{"data":{"v3GetPinQuery":{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`],
    ['quotes', '"'.repeat(4_000_000)],
    ['braces', '{'.repeat(4_000_000)],
  ])('are processed in bounded time with %s', async (_, value) => {
    const html = `${call}${query}", ${value}<script data-relay-response="true">${value}`;
    const elapsed = startCpuClock();
    await extractOrRefuse(value, html.slice(0, 8_000_000), 200);
    expect(elapsed()).toBeLessThan(3000);
  });

  it.each([
    ['calls', `${call}${query}", {`],
    ['scripts', 'data-relay-response="true"{"'],
    ['descriptions', 'application/ld+json{"'],
    ['tags', '<meta name="a" content="'],
  ])('are processed in bounded time with a page full of unterminated %s', async (_, piece) => {
    const elapsed = startCpuClock();
    await extractOrRefuse('', piece.repeat(8_000_000 / piece.length), 200);
    expect(elapsed()).toBeLessThan(3000);
  });

  it('may contain objects instead of texts and numbers', async () => {
    const odd = { toString: 1, valueOf: 1, url: 5 };
    const members = Object.fromEntries(Object.keys(whole).map((name) => [name, odd]));
    const pin = { ...members, id: pinId, images: restPin.images, reactionCountsData: [{ reactionType: odd }, odd] };
    const video = { '@type': 'VideoObject', contentUrl: odd, width: odd, duration: odd, creator: odd };
    const head = `${headOnly}<script type="application/ld+json">${JSON.stringify(video)}</script>`;
    await extractOrRefuse(JSON.stringify(resource(pin)), '', 200);
    await extractOrRefuse('', page(pinId, relayPin(pin)), 200);
    await extractOrRefuse('', head.replace('VideoObject', 'Other'), 200);
  });

  it('cannot make one pin arbitrarily large', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({
      blocks: [{ video: { video_list: { V_720P: { url: `https://v1.pinimg.com/${at}.mp4` } } } }],
    }));
    const images = Object.fromEntries(
      Array.from({ length: 9000 }, (_, at) => [`${at + 10}x`, { url: `https://a.example/${at}` }]),
    );
    const pin = { ...restPin, images, story_pin_data: { pages: many }, carousel_data: many };
    const elapsed = startCpuClock();
    await extractOrRefuse(JSON.stringify(resource(pin)), '', 200);
    expect(elapsed()).toBeLessThan(3000);
  });
});
