import { captionsLink, pictureLink } from '../links.ts';
import { personCalled } from '../world/people.ts';
import type { Video } from '../world/videos.ts';
import { deliveryOf } from './delivery.ts';

/** Returns an ID of the site's data layer: its parts in base64. */
export function dataId(...parts: readonly string[]): string {
  return Buffer.from(parts.join(':')).toString('base64');
}

/** Returns the ID of a video's story. */
export function storyId({ owner, id }: Pick<Video, 'owner' | 'id'>): string {
  return dataId(`S:_I${owner.id}`, 'VK', id);
}

const warnings = {
  age: { title: { text: 'This video is for people over 18' }, subtitle: { text: 'Log in to confirm your age.' } },
  content: { title: { text: 'Sensitive content' }, subtitle: { text: 'This video may show violence.' } },
} as const;

/** Returns a video as in the attachment of a story. */
export function mediaNode(video: Video): Record<string, unknown> {
  const { owner, seconds } = video;
  const more = { owner: { __typename: 'User', id: owner.id }, playable_duration_in_ms: seconds * 1000 };
  return { __typename: 'Video', ...more, ...playbackNode(video) };
}

/** Returns a video as in a reel's player: its files, sizes and captions. */
function playbackNode(video: Video): Record<string, unknown> {
  const { id, seconds, title, refusal, warning } = video;
  const picture = pictureLink(id, 1280, 720);
  return {
    ...(video.delivery === 'unnamed' ? {} : { id }),
    width: 1920,
    height: 1080,
    length_in_second: seconds,
    thumbnailImage: { uri: picture },
    preferred_thumbnail: { image: { uri: picture } },
    is_live_streaming: video.live ?? false,
    broadcast_status: video.live ? 'LIVE' : null,
    loop_count: 0,
    permalink_url: `https://www.facebook.com/reel/${id}/`,
    captions_url: captionsLink(title),
    video_available_captions_locales: [
      {
        captions_url: captionsLink(title),
        locale: 'en_US',
        localized_unambiguous_language: 'English',
      },
    ],
    audio_availability: video.silent ? 'UNAVAILABLE' : 'AVAILABLE',
    ...(refusal === 'age' ? { uiInterstitialContent: warnings.age } : {}),
    ...(warning === undefined ? {} : { uiInterstitialContent: warnings.content }),
    ...deliveryOf(video),
  };
}

/** Returns the publisher of a video or post. */
export function ownerNode({ owner }: Pick<Video, 'owner'>): Record<string, unknown> {
  return {
    __typename: 'User',
    id: owner.id,
    name: owner.name,
    url: `https://www.facebook.com/${owner.vanity}`,
  };
}

/** Returns a text with its marked mentions and links. */
export function messageNode({ text }: Pick<Video, 'text'>): Record<string, unknown> {
  const at = text.indexOf('Lab Person');
  const link = /https:\/\/\S+/.exec(text);
  const outside = link === null ? '' : link[0];
  const person = { __typename: 'User', id: personCalled('lab.person').id, url: 'https://www.facebook.com/lab.person' };
  const external = {
    __typename: 'ExternalUrl',
    url: `https://l.facebook.com/l.php?u=${encodeURIComponent(outside)}&h=x`,
    external_url: outside,
  };
  return {
    text,
    ranges: [
      ...(at < 0 ? [] : [{ offset: at, length: 10, entity: person }]),
      ...(link === null ? [] : [{ offset: link.index, length: outside.length, entity: external }]),
    ],
  };
}

/** Returns the story of a reel: its video, text, music and counts. */
export function reelStory(video: Video): Record<string, unknown> {
  const { id, postId, owner, created } = video;
  const thumbnail = pictureLink(id, 640, 360);
  return {
    id: storyId(video),
    post_id: postId,
    creation_time: created,
    message: messageNode(video),
    video: { id, owner: { __typename: 'User', id: owner.id } },
    attachments: [{ media: { __typename: 'Video', id, video_delivery_response: { transcript_urls: [], id } } }],
    privacy_scope: { description: 'Public', label: 'Public' },
    feedback: { id: dataId('feedback', postId) },
    short_form_video_context: {
      video: {
        __typename: 'Video',
        id,
        first_frame_thumbnail: thumbnail,
        playable_duration_in_ms: video.seconds * 1000,
        audio_availability: video.silent ? 'UNAVAILABLE' : 'AVAILABLE',
      },
      playback_video: playbackNode(video),
      video_owner: { ...ownerNode(video), is_verified: owner.vanity === 'thelab' },
      shareable_url: `https://www.facebook.com/reel/${id}`,
      music_album_art_uri: thumbnail,
      track_title: 'A tone of 220 Hz',
    },
  };
}
