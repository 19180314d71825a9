import { imageOf, musicUrl } from './addresses.ts';
import { nodeId } from './people.ts';
import { countsOf } from './pin-details.ts';
import type { Item, Pin } from './pins.ts';
import { type Json, videoForm } from './rest-items.ts';

/** Returns the story with its pages; null if the pin has none. */
export function storyOf(pin: Pin, page: (pin: Pin, item: Item) => Json): Json | null {
  if (pin.form === 'carousel' || pin.items.length === 0) return null;
  const videos = pin.items.filter(({ kind }) => kind === 'video').length;
  return {
    __typename: 'StoryPinData',
    id: nodeId('StoryPinData', pin.storyId),
    entityId: pin.storyId,
    isDeleted: false,
    totalVideoDuration: videos * pin.seconds * 1000,
    metadata: { pinTitle: pin.title, basics: null },
    pages: pin.items.map((item) => page(pin, item)),
  };
}

/** Returns a page as the first response contains it: only the kinds of its blocks. */
export function briefPage(_pin: Pin, item: Item): Json {
  return { layout: 0, ad: null, blocks: [blockOf(item)], shouldMute: false, musicAttributions: [] };
}

/** Returns a page as the second response contains it: with its media. */
export function detailPage(pin: Pin, item: Item): Json {
  return { layout: 0, blocks: [mediaBlock(pin, item)], imageSpec_orig: imageOf(pin, item.picture, 'orig') };
}

/** Returns a page as the third response contains it: with its text and music. */
export function wholePage(pin: Pin, item: Item): Json {
  const { picture, words, music } = item;
  const audio = { audioUrl: musicUrl(pin, picture.number) };
  return {
    pageId: `31${pin.storyId.slice(-7)}${picture.number}`,
    layout: 0,
    blocks: [
      mediaBlock(pin, item),
      ...(words === undefined ? [] : [{ __typename: 'StoryPinParagraphBlock', blockType: 1, text: words }]),
      ...(music ? [{ __typename: 'StoryPinMusicBlock', blockType: 5, audio }] : []),
    ],
    imageSpec_236x: imageOf(pin, picture, '236x'),
    imageSpec_1200x: imageOf(pin, picture, '1200x'),
    shouldMute: false,
    musicAttributions: [],
    video: null,
  };
}

/** Returns the slots of a carousel; null if the pin has none. */
export function carouselOf(pin: Pin): Json | null {
  if (pin.form !== 'carousel') return null;
  return { carouselSlots: pin.items.map((item, at) => slot(pin, item, at)) };
}

function blockOf({ kind }: Item): Json {
  return kind === 'video'
    ? { __typename: 'StoryPinVideoBlock', blockType: 3 }
    : { __typename: 'StoryPinImageBlock', blockType: 2 };
}

function mediaBlock(pin: Pin, item: Item): Json {
  const block = { ...blockOf(item), text: '' };
  if (item.kind === 'picture') return block;
  const { v_hlsv4_video_list: newest, ...older } = relayVideo(pin, item.picture.number);
  return pin.generation === '2024'
    ? { ...block, videoData: older }
    : { ...block, videoDataV2: { ...older, v_hlsv4_video_list: newest } };
}

/** Returns a video's forms, each in its own list. */
export function relayVideo(pin: Pin, number: number): Json {
  const form = (name: string) => {
    const { captions_urls: captionsUrls, ...rest } = videoForm(pin, number, name);
    return { ...rest, captionsUrls };
  };
  return {
    videoList: { vHLSV3MOBILE: form('V_HLSV3_MOBILE') },
    v_hlsv4_video_list: { vHLSV4: form('V_HLSV4') },
    videoListMobile: { vHLSV3MOBILE: form('V_HLSV3_MOBILE') },
    videoListEXP3: null,
    videoListEXP7: null,
    videoList720P: { v720P: form('V_720P') },
    seoViewCount: `${countsOf(pin).views}`,
  };
}

function slot(pin: Pin, { picture }: Item, at: number): Json {
  return {
    entityId: `${pin.storyId}${at}`,
    title: `Slot ${at + 1}`,
    link: `https://blog.lab.example/${pin.id}/${at}`,
    images_orig: imageOf(pin, picture, 'orig'),
    images_736x: imageOf(pin, picture, '736x'),
  };
}
