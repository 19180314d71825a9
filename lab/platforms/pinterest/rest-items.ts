import { captionsUrl, imageOf, musicUrl, signatureOf, sizes, thumbnailUrl, videoUrl } from './addresses.ts';
import { nodeId, rolesOf } from './people.ts';
import { type Item, type Picture, type Pin, upload } from './pins.ts';

/** Part of a response. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns the content of a pin besides its main image: story, video, carousel. */
export function items(pin: Pin): Json {
  const { form, deletedStory, storyId } = pin;
  const isStory = form === 'picture' || form === 'clip' || form === 'story';
  return {
    story_pin_data_id: isStory ? storyId : null,
    story_pin_data: deletedStory ? { id: storyId, is_deleted: true } : isStory && !pin.withoutMedia ? story(pin) : null,
    videos: form === 'video' ? { id: storyId, video_list: videoList(pin, 0, ['V_HLSV4', 'V_720P', 'V_EXP7']) } : null,
    carousel_data: form === 'carousel' ? { carousel_slots: pin.items.map((item, at) => slot(pin, item, at)) } : null,
  };
}

/** Returns the sizes of an image; `170x` leads to the image of `236x`. */
export function images(pin: Pin, picture: Picture): Json {
  const imagesByName = [...sizes.map(({ name }) => name), 'orig'].map((name) => [name, imageOf(pin, picture, name)]);
  return { '170x': imageOf(pin, picture, '236x'), ...Object.fromEntries(imagesByName) };
}

function story(pin: Pin): Json {
  const pages = pin.items.map((item) => page(pin, item));
  const videos = pin.items.filter(({ kind }) => kind === 'video').length;
  return {
    node_id: nodeId('StoryPinData', pin.storyId),
    type: 'storypindata',
    id: pin.storyId,
    is_deleted: false,
    total_video_duration: videos * pin.seconds * 1000,
    static_page_count: pages.length - videos,
    page_count: pages.length,
    pages_preview: pages.slice(0, 1),
    pages,
    metadata: {
      version: '0.16.0',
      pin_title: pin.title,
      pin_image_signature: signatureOf(pin, 0),
      root_pin_id: pin.id,
      root_user_id: rolesOf(pin).pinner.id,
      canvas_aspect_ratio: 0.5625,
    },
    has_product_pins: false,
  };
}

function page(pin: Pin, { kind, picture, words, music }: Item): Json {
  const signature = signatureOf(pin, picture.number);
  const style = { width: 100, height: 100, rotation: 0, corner_radius: 0, x_coord: 0, y_coord: 0 };
  const main =
    kind === 'video'
      ? {
          type: 'story_pin_video_block',
          block_type: 3,
          block_style: style,
          text: '',
          video: { video_list: videoList(pin, picture.number, ['V_HLSV3_MOBILE', 'V_HLSV4', 'V_720P', 'V_EXP7']) },
        }
      : {
          type: 'story_pin_image_block',
          block_type: 2,
          block_style: style,
          text: '',
          image_signature: signature,
          // The page of a plain image contains only the image's signature.
          ...(picture.number === 0 ? {} : { image: { images: pageImages(pin, picture) } }),
        };
  return {
    id: `31${pin.storyId.slice(-7)}${picture.number}`,
    type: 'storypinpage',
    layout: 0,
    should_mute: false,
    music_attributions: [],
    image_signature: signature,
    image_signature_adjusted: signature,
    style: { background_color: '#101010' },
    blocks: [
      main,
      ...(words === undefined ? [] : [{ type: 'story_pin_paragraph_block', block_type: 1, text: words }]),
      ...(music
        ? [{ type: 'story_pin_music_block', block_type: 5, audio: { audio_url: musicUrl(pin, picture.number) } }]
        : []),
      { type: 'story_pin_product_sticker_block', block_type: 12, block_style: style },
      ...(pin.unknownBlock && picture.number === 1 ? [{ type: 'story_pin_lab_block', block_type: 99 }] : []),
    ],
  };
}

function pageImages(pin: Pin, picture: Picture): Json {
  const { orig, '736x': middle, '1200x': large } = images(pin, picture);
  return { originals: orig, '736x': middle, '1200x': large };
}

function slot(pin: Pin, { picture }: Item, at: number): Json {
  const { '236x': small, '736x': middle } = images(pin, picture);
  return {
    id: `${pin.storyId}${at}`,
    title: `Slot ${at + 1}`,
    link: `https://blog.lab.example/${pin.id}/${at}`,
    images: { '236x': small, '736x': middle },
  };
}

/** Returns the forms of a video by the interface's names. */
function videoList(pin: Pin, number: number, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, videoForm(pin, number, name)]));
}

/** Returns one form of a video; its size is that of the upload, regardless of the file. */
export function videoForm(pin: Pin, number: number, name: string): Json {
  const captions = ['en-us', 'fr-fr'].map((language) => [language, captionsUrl(pin, number, language)]);
  return {
    url: videoUrl(pin, number, name.includes('HLS') ? 'hls' : '720p'),
    ...upload,
    duration: pin.seconds * 1000,
    thumbnail: thumbnailUrl(pin, number),
    captions_urls: pin.captions ? Object.fromEntries(captions) : null,
  };
}
