import { defined, dig, fields, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { cleanLink } from './clean-link.ts';
import { isVideo } from './delivery.ts';
import { readPicture } from './pictures.ts';
import { type Copies, pick, type Records } from './records.ts';
import { readVideoFacts } from './video.ts';

/** Maximum number of characters of a transcript. An hour of speech has some 60,000. */
const MAX_TRANSCRIPT = 200_000;

/** The members of {@link videoExtras}. */
export const videoExtraNames = [
  'videoId',
  'width',
  'height',
  'duration',
  'live',
  'captions',
  'transcript',
  'music',
] as const;

/** Reads the metadata that only video posts have: duration, subtitles, transcript and music. */
export function videoExtras(
  story: Copies,
  media: Copies,
  records: Records,
): Partial<Record<(typeof videoExtraNames)[number], unknown>> {
  if (!media.some(isVideo)) return {};
  const { width, height, duration, live } = readVideoFacts(media);
  const context = story.map((copy) => fields(copy.short_form_video_context));
  const captions = pick(media, ({ video_available_captions_locales: all }) =>
    unlessEmpty(list(all).slice(0, 100).flatMap(caption)),
  );
  const cover = pick(context, (copy) => readPicture(copy.music_album_art_uri)?.url);
  const music = defined({ title: pick(context, (copy) => text(copy.track_title)), coverUrl: cover });
  return {
    // An album also has photos.
    videoId: pick([...media.filter(isVideo), ...media], ({ id }) => text(id)),
    width,
    height,
    duration,
    live,
    captions,
    transcript: readTranscript(media, records),
    music: Object.keys(music).length === 0 ? undefined : music,
  };
}

/** Returns the spoken text of a video, which its watch page contains. */
function readTranscript(media: Copies, records: Records): string | undefined {
  const member = 'video_home_www_loe_video_permalink_seo_info';
  const own = new Set([undefined, ...media.map(({ id }) => id)]);
  const copies = records.having(member).filter(({ id }) => own.has(id));
  const transcript = pick(copies, (copy) => dig(copy, member, 'transcript') ?? undefined);
  return (text(transcript) ?? text(dig(transcript, 'text')))?.slice(0, MAX_TRANSCRIPT);
}

function caption(value: unknown) {
  const url = cleanLink(dig(value, 'captions_url'));
  if (url === undefined) return [];
  return [
    defined({ language: text(dig(value, 'locale')), name: text(dig(value, 'localized_unambiguous_language')), url }),
  ];
}
