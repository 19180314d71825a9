import { defined, dig, fields, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { cleanLink } from './clean-link.ts';
import { isVideo } from './delivery.ts';
import { readPicture } from './pictures.ts';
import { type Copies, pick } from './records.ts';
import { readVideoFacts } from './video.ts';

/** Reads the metadata that only video posts have: duration, subtitles and music. */
export function videoExtras(story: Copies, media: Copies) {
  if (!media.some(isVideo)) return {};
  const { width, height, duration, live } = readVideoFacts(media);
  const context = story.map((copy) => fields(copy.short_form_video_context));
  const captions = pick(media, ({ video_available_captions_locales: all }) =>
    unlessEmpty(list(all).slice(0, 100).flatMap(caption)),
  );
  const cover = pick(context, (copy) => readPicture(copy.music_album_art_uri)?.url);
  const music = defined({ title: pick(context, (copy) => text(copy.track_title)), coverUrl: cover });
  return {
    videoId: pick(media, ({ id }) => text(id)),
    width,
    height,
    duration,
    live,
    captions,
    music: Object.keys(music).length === 0 ? undefined : music,
  };
}

function caption(value: unknown) {
  const url = cleanLink(dig(value, 'captions_url'));
  if (url === undefined) return [];
  return [
    defined({ language: text(dig(value, 'locale')), name: text(dig(value, 'localized_unambiguous_language')), url }),
  ];
}
