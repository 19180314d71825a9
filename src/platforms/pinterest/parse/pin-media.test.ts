import { describe, expect, it } from 'vitest';
import type { ContentMedia } from '../../platform.ts';
import { pictureUrl, restPin, restVideos } from '../testing/pins.ts';
import { pinMedia } from './pin-media.ts';

const other = 'ddeeff00000000000000000000000000';
const pinContents = (pin: Record<string, unknown>) => pinMedia(pin).contents;
const story = (...pages: unknown[]) => ({ ...restPin, story_pin_data: { pages } });
const labels = ({ images = [] }: ContentMedia = {}) => images.map(({ item }) => `${item.repId} ${item.label}`);
const videoLabels = ({ videos = [] }: ContentMedia = {}) => videos.map(({ item }) => `${item.repId} ${item.label}`);

describe('a plain pin', () => {
  it('has its image in all sizes, each address once, largest first', () => {
    const contents = pinContents(restPin);
    expect(contents.map(labels)).toEqual([['orig 1000x1500', '736x 736x1104', '236x 236x354']]);
    expect(contents[0]?.images?.[0]?.item).toEqual({
      label: '1000x1500',
      url: pictureUrl('originals', undefined, 'png'),
      repId: 'orig',
      metadata: { mime_type: 'image/png', width: 1000, height: 1500, has_audio: false },
    });
  });

  it.each([
    [
      'a known original',
      { imageSpec_orig: { url: pictureUrl('originals'), width: 720, height: 1280 } },
      ['orig 720x1280', '1200x 720x1280', '564x 564x1002', '600x315 600x315', '60x60 60x60'],
    ],
    [
      'a picture narrower than its size',
      {
        images_736x: { url: pictureUrl('736x'), width: 720, height: 1280 },
        images_orig: { url: pictureUrl('originals') },
      },
      ['orig 720x1280', '736x 720x1280', '1200x 720x1280', '564x 564x1002', '600x315 600x315', '60x60 60x60'],
    ],
    [
      'nothing',
      { imageSpec_orig: { url: pictureUrl('originals') } },
      ['orig orig', '600x315 600x315', '60x60 60x60', '1200x 1200x', '564x 564x'],
    ],
  ])('has the sizes derived from %s', (_, members, expected) => {
    const sizes = Object.fromEntries(
      ['60x60', '564x', '600x315'].map((s) => [`imageSpec_${s}`, { url: pictureUrl(s) }]),
    );
    const contents = pinContents({ ...sizes, ...members, imageLargeUrl: pictureUrl('1200x') });
    expect(labels(contents[0]).toSorted()).toEqual(expected.toSorted());
    expect(labels(contents[0])[0]).toBe(expected[0]);
  });

  it('has an image derived from its signature when no size is known', () => {
    const [content] = pinContents({ image_signature: other });
    expect(content?.images?.[0]?.item).toMatchObject({
      url: pictureUrl('originals', other),
      metadata: { alternates: [pictureUrl('originals', other, 'png'), pictureUrl('originals', other, 'webp')] },
    });
  });

  it("lists an animation's file first", () => {
    const gif = pictureUrl('originals', other, 'gif');
    const [content] = pinContents({ ...restPin, embed: { type: 'gif', src: gif } });
    expect(content?.images?.[0]?.item).toMatchObject({ url: gif, repId: 'gif', metadata: { mime_type: 'image/gif' } });
  });

  it('has no contents without media', () => {
    expect(pinContents({ id: '1', images: {}, videos: {}, story_pin_data: { pages: [{}] } })).toEqual([]);
  });
});

describe('a video pin', () => {
  it('has the video before the image, files before playlists, each address once', () => {
    const contents = pinContents({ ...restPin, videos: restVideos });
    expect(contents).toHaveLength(2);
    expect(videoLabels(contents[0])).toEqual(['V_720P 720p', 'V_HLSV4 hls-1080']);
    expect(contents[0]?.videos?.[0]?.item.metadata).toEqual({
      mime_type: 'video/mp4',
      width: 720,
      height: 1280,
      has_audio: true,
      duration: 7.967,
      sourceWidth: 1080,
      sourceHeight: 1920,
      thumbnail: 'https://i.pinimg.com/videos/thumbnails/originals/a/b.0000000.jpg',
      captions: [{ language: 'en-us', url: 'https://v1.pinimg.com/a.vtt' }],
    });
    expect(labels(contents[0])).toEqual(['poster 1080x1920']);
  });

  it.each([
    ['V_720P', 'https://v1.pinimg.com/a.mp4', 1920, 1080, '720p', 1280, 720],
    ['V_720P', 'https://v1.pinimg.com/a.mp4', 480, 360, '360p', 480, 360],
    ['V_720P', 'https://v1.pinimg.com/expMp4/a_720w.mp4', 1080, 1350, '720p', 720, 900],
    ['V_EXP4', 'https://v1.pinimg.com/a_t2.mp4', 1080, 1920, 'exp4', 1080, 1920],
    ['V_HEVC_MP4_T1_V2', 'https://v1.pinimg.com/a.mp4', 1080, 1920, 'hevc_mp4_t1_v2', 1080, 1920],
    ['V_HLSV3_WEB', 'https://v1.pinimg.com/a.m3u8?x=1', 0, 0, 'hls-hlsv3_web', 0, 0],
  ])('%s of %s at %ix%i has label %s', (key, url, width, height, label, trueWidth, trueHeight) => {
    const [content] = pinContents({ ...restPin, videos: { video_list: { [key]: { url, width, height } } } });
    expect(content?.videos?.[0]?.item).toMatchObject({
      label,
      repId: key,
      metadata: { width: trueWidth, height: trueHeight },
    });
  });

  it('has the names of the JSON interface when it is read from page lists', () => {
    const at = (name: string) => ({ url: `https://v1.pinimg.com/${name}`, width: 720, height: 1280 });
    const videoDataV2 = {
      videoList720P: { v720P: at('a.mp4') },
      videoListMobile: { vHLSV3MOBILE: at('b.m3u8') },
      v_hlsv4_video_list: { vHLSV4: at('c.m3u8') },
      videoListEXP3: null,
      videoListEXP7: { vEXP7: at('d.mp4') },
    };
    const blocks = [{ __typename: 'StoryPinVideoBlock', blockType: 3, videoDataV2 }];
    const [content] = pinContents({ entityId: '1', storyPinData: { pages: [{ blocks }] } });
    expect(content?.videos?.map(({ item }) => item.repId)).toEqual(['V_720P', 'V_EXP7', 'V_HLSV4', 'V_HLSV3_MOBILE']);
  });

  it('keeps two addresses under one name separate', () => {
    const block = (name: string) => ({
      video: { video_list: { V_720P: { url: `https://v1.pinimg.com/${name}.mp4` } } },
    });
    const [content] = pinContents(story({ blocks: [block('a'), block('b')] }));
    expect(content?.videos?.map(({ item }) => item.repId)).toEqual(['V_720P', 'V_720P-2']);
  });
});

describe('a story pin', () => {
  it('has one content item per page, in order, and the main image at the end', () => {
    const contents = pinContents(
      story(
        {
          blocks: [
            {
              type: 'story_pin_image_block',
              image: { images: { originals: { url: pictureUrl('originals', other) } } },
            },
          ],
        },
        { blocks: [{ type: 'story_pin_video_block', video: restVideos }] },
        { blocks: [{ type: 'story_pin_paragraph_block', text: 'Words' }, { type: 'of tomorrow' }, null, 5] },
        { video: { video_list: { V_720P: { url: 'https://v1.pinimg.com/page.mp4' } } }, blocks: 'none' },
        {
          blocks: [
            { block_type: 2, image_signature: other },
            { type: 'story_pin_music_block', audio: { audio_url: 'https://a.example/m.mp3' } },
          ],
        },
      ),
    );
    expect(contents.map((content) => Object.keys(content))).toEqual([
      ['images'],
      ['videos', 'images'],
      ['videos'],
      ['images', 'audios'],
      ['images'],
    ]);
    expect(labels(contents[0])).toEqual(['orig orig']);
    expect(contents[3]?.audios?.[0]?.item).toMatchObject({ label: 'music', metadata: { mime_type: 'audio/mpeg' } });
    expect(labels(contents[4])[0]).toBe('orig 1000x1500');
  });

  it("with one page that is the main image has that image's sizes", () => {
    const contents = pinContents(story({ blocks: [{ block_type: 2, image_signature: restPin.image_signature }] }));
    expect(contents).toHaveLength(2);
    expect(contents[0]).toEqual(contents[1]);
  });

  it('has the image of a page in the newer format', () => {
    const block = { __typename: 'StoryPinImageBlock', blockType: 2 };
    const contents = pinContents({
      storyPinData: {
        pages: [{ blocks: [block], imageSpec_1200x: { url: pictureUrl('1200x', other), width: 1080, height: 1920 } }],
      },
    });
    expect(contents.map(labels)).toEqual([['1200x 1080x1920']]);
  });
});

describe('a carousel pin', () => {
  const slot = {
    id: '1',
    title: 'One',
    images: { '736x': { url: pictureUrl('736x', other), width: 736, height: 900 } },
  };

  it.each([
    ['the JSON interface', { carousel_data: { carousel_slots: [slot, { videos: restVideos }] } }],
    ['pages', { carouselData: { carouselSlots: [{ images_736x: slot.images['736x'] }, { videos: restVideos }] } }],
    ['mixed names', { carouselData: { carousel_slots: [slot, { videos: restVideos }] } }],
    ['a bare list', { carousel_data: [slot, { videos: restVideos }] }],
  ])('of %s has one content item per slot', (_, members) => {
    const contents = pinContents({ ...restPin, ...members });
    expect(contents).toHaveLength(3);
    expect(labels(contents[0])).toEqual(['orig orig', '736x 736x900']);
    expect(contents[0]?.images?.[0]?.item.url).toBe(pictureUrl('originals', other));
    expect(videoLabels(contents[1])).toEqual(['V_720P 720p', 'V_HLSV4 hls-1080']);
    expect(labels(contents[2])[0]).toBe('orig 1000x1500');
  });
});

describe('unread entries of a pin', () => {
  const unreadOf = (pin: Record<string, unknown>) => pinMedia(pin).unread;
  const page = (...blocks: unknown[]) => ({ type: 'storypinpage', blocks });
  const clip = `https://v1.pinimg.com/videos/iht/720p/dd/ee/ff/${other}.mp4`;
  const picture = { url: pictureUrl('originals', other), width: 900, height: 1200 };
  const image = { type: 'story_pin_image_block', block_type: 2, image: { images: { originals: picture } } };

  it.each<[string, Record<string, unknown>]>([
    ['a plain image', restPin],
    ['a video', { ...restPin, videos: restVideos }],
    ['a story', story(page(image), page({ type: 'story_pin_video_block', video: restVideos }))],
    [
      'texts, music and stickers',
      story(
        page(
          image,
          { type: 'story_pin_paragraph_block', block_type: 1, text: 'Words' },
          { type: 'story_pin_paragraph_block', block_type: 1, text: '' },
          { type: 'story_pin_music_block', block_type: 5, audio: { audio_url: null } },
          { type: 'story_pin_product_sticker_block', block_type: 12 },
          { type: 'story_pin_static_sticker_block' },
          { __typename: 'StoryPinMentionStickerBlock', blockType: 9 },
          null,
        ),
      ),
    ],
    ['a page of text alone', story(page({ type: 'story_pin_paragraph_block', text: 'Words' }))],
    ['a deleted story', { ...restPin, story_pin_data: { is_deleted: true } }],
    ['the images of its board', { ...restPin, board: { cover_images: [{ '400x300': picture }] } }],
    ['no carousel', { ...restPin, carousel_data: {} }],
    ['a video that is not ready', { ...restPin, videos: { id: '1', video_list: {} } }],
  ])('are absent for %s', (_, pin) => {
    expect(unreadOf(pin)).toEqual({});
  });

  it.each<[string, Record<string, unknown>, Record<string, number>]>([
    [
      'blocks',
      story(page(image, { type: 'story_pin_poll_block' }, {}, 5)),
      { story_pin_poll_block: 1, story_block: 2 },
    ],
    [
      'blocks with media',
      story(page({ __typename: 'StoryPinClipBlock', clip: { url: clip } })),
      { StoryPinClipBlock: 1 },
    ],
    [
      'forms of a video',
      story(page({ type: 'story_pin_video_block', clip: { url: clip } })),
      { story_pin_video_block: 1 },
    ],
    ['forms of an image', story(page({ type: 'story_pin_image_block', block_type: 2 })), { story_pin_image_block: 1 }],
    ['pages', story({ type: 'storypinpage', items: [image] }, { elements: 5 }), { storypinpage: 2 }],
    [
      'music',
      story(page(image, { type: 'story_pin_music_block', audio: { file: clip.replace('.mp4', '.mp3') } })),
      { storypinpage: 1 },
    ],
    ['stories', { ...restPin, story_pin_data: { page_list: [page(image)] } }, { story_pin_data: 1 }],
    ['containers of a story', { ...restPin, storyData: { pages: [page(image)] } }, { storyData: 1 }],
    ['containers of a video', { ...restPin, clips: { list: { V_720P: { url: clip } } } }, { clips: 1 }],
    ['forms of the own video', { ...restPin, videos: { list: { main: { url: clip } } } }, { videos: 1 }],
    ['carousels', { ...restPin, carousel_data: { items: [{ images: { orig: picture } }] } }, { carousel_data: 1 }],
    [
      'slots',
      { ...restPin, carousel_data: { carousel_slots: [{ images: { orig: picture } }, { picture }, {}] } },
      { carousel_slot: 2 },
    ],
    ['containers of a carousel', { ...restPin, gallery: [{ images: { orig: picture } }] }, { gallery: 1 }],
  ])('are counted for unknown %s', (_, pin, expected) => {
    expect(unreadOf(pin)).toEqual(expected);
    expect(pinMedia(pin).contents.length).toBeGreaterThan(0);
  });
});
