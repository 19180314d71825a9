import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { dig, fields, list } from '../../parsing/values.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import type { Extraction } from '../platform.ts';
import { resultUnlessUnread } from '../testing/extraction-outcome.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { namesIn, renamed, someNames } from '../testing/renamed-members.ts';
import { pinDetails } from './endpoints/pin-details.ts';
import { mediaIn } from './parse/media-addresses.ts';
import { pinInPage } from './parse/page-data.ts';
import { defaultSite } from './site.ts';
import { olderPage, page, pictureUrl, relayPin, resource, restPin, restVideos } from './testing/pins.ts';

/** A response about a pin, and the part of it whose names change. */
interface Source {
  readonly pinId: string;
  readonly kind: 'json' | 'page';
  readonly body: string;
  /** The pin's data, as JSON. */
  readonly pin: string;
}

const signature = (digit: string) => digit.repeat(32);
const picture = (digit: string) => ({ url: pictureUrl('originals', signature(digit)), width: 900, height: 1200 });
const video = {
  video_list: { V_720P: { url: `https://v1.pinimg.com/videos/iht/720p/11/11/11/${signature('1')}.mp4` } },
};
const story = {
  type: 'storypindata',
  pages: [
    {
      type: 'storypinpage',
      blocks: [{ type: 'story_pin_image_block', image: { images: { originals: picture('2') } } }],
    },
    { type: 'storypinpage', blocks: [{ type: 'story_pin_video_block', block_type: 3, video }] },
  ],
};
const carousel = { carousel_slots: [{ images: { orig: picture('3') } }, { images: { orig: picture('4') } }] };

const relayStory = {
  __typename: 'StoryPinData',
  pages: [
    { blocks: [{ __typename: 'StoryPinImageBlock', blockType: 2 }], imageSpec_1200x: picture('2') },
    { blocks: [{ __typename: 'StoryPinVideoBlock', blockType: 3, videoDataV2: video.video_list }] },
  ],
};
const relay = { entityId: restPin.id, storyPinDataId: '5', imageSpec_orig: picture('5'), storyPinData: relayStory };

const jsonSource = (pin: unknown): Source => ({
  pinId: String(fields(pin).id),
  kind: 'json',
  body: JSON.stringify(resource(pin)),
  pin: JSON.stringify(pin),
});
const pageSource = (pinId: string, body: string): Source => {
  const result = pinInPage(body, [pinId]);
  return { pinId, kind: 'page', body, pin: JSON.stringify(result && 'pin' in result ? result.pin : {}) };
};

const sources: [string, Source][] = [
  ['a story of the JSON interface', jsonSource({ ...restPin, story_pin_data_id: '5', story_pin_data: story })],
  ['a carousel of the JSON interface', jsonSource({ ...restPin, carousel_data: carousel })],
  ['a video of the JSON interface', jsonSource({ ...restPin, videos: restVideos })],
  ['a page of 2025', pageSource(restPin.id, page(restPin.id, relayPin(relay), relayPin(relay)))],
  ['a page of 2024', pageSource(restPin.id, olderPage(restPin.id, relayPin(relay)))],
];

const recordings = readRecordings('p6');
const recorded = (file: string) => recordings.get(file) ?? '';
if (recordings.size > 0) {
  const pins = list(
    dig(JSON.parse(recorded('ddooxhuy09+Crawler/pinterest.json.gz')), 'resource_response', 'data', 'results'),
  );
  const stories = pins.filter((pin) => dig(pin, 'story_pin_data') !== null && dig(pin, 'story_pin_data') !== undefined);
  sources.push(
    ['a recorded story of the JSON interface', jsonSource(stories[0])],
    ['a recorded image of the JSON interface', jsonSource(pins[0])],
    [
      'the recorded video page of 2024',
      pageSource('615304367873483625', recorded('UsoltsevI+CollectorA/pin-wingsuit-video-one.html.gz')),
    ],
    [
      'the recorded video page of 2025',
      pageSource('31454897393552949', recorded('komdiw+pinterest-video-downloader/pinterest_page.html.gz')),
    ],
    ['the recorded image page of 2024', pageSource('635640934940256125', recorded('UsoltsevI+CollectorA/pin.html.gz'))],
  );
}

function extract({ pinId, kind }: Source, body: string): Promise<Extraction> {
  const { context } = fakeSite(({ url }) => {
    const isPage = url.pathname.startsWith('/pin/');
    return isPage === (kind === 'page') && url.pathname !== '/oembed.json' ? { body } : { status: 429, body: '' };
  });
  return pinDetails(defaultSite).extract({ pinId }, context);
}

/** Fails if media are missing from the result without a note or an unread entry. */
async function expectNoSilentLoss(source: Source, names: ReadonlySet<string>, original: Extraction): Promise<void> {
  const change = [...names].join();
  const result = await resultUnlessUnread(extract(source, renamed(source.body, names)), change);
  if (result === undefined) return;
  const { contents = [], unread = {}, notes = [] } = result;
  const isComplete = mediaIn(original.contents).isSubsetOf(mediaIn(contents));
  const isReported = Object.keys(unread).length + notes.length > 0;
  expect([change, contents.length > 0, isComplete || isReported]).toEqual([change, true, true]);
}

describe.each(sources)('a change of the site in %s', (_, source) => {
  const runs = (short: number) => propertyRuns(source.body.length < 100_000 ? short : short / 5);

  it('is not reported while nothing has changed', async () => {
    const { contents, unread } = await extract(source, source.body);
    expect(contents).not.toEqual([]);
    expect(unread).toEqual({});
  });

  it('never loses media silently when a name changes', async () => {
    const original = await extract(source, source.body);
    const random = seededRandom(6);
    const names = namesIn(source.pin).map((name) => ({
      name,
      order: /stor|page|block|video|image|slot/i.test(name) ? 0 : random(),
    }));
    const chosen = names.toSorted((a, b) => a.order - b.order).slice(0, runs(80));
    for (const { name } of chosen) await expectNoSilentLoss(source, new Set([name]), original);
  });

  it('never loses media silently when many names change', async () => {
    const original = await extract(source, source.body);
    for (let seed = 0; seed < runs(30); seed += 1) {
      await expectNoSilentLoss(source, someNames(source.pin, 0.02 + (seed % 10) / 20, seed), original);
    }
  });
});
