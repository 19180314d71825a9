import { toLanguageTag } from '../../../contract/language-tag.ts';
import type { SourceMedia, SourceStream } from '../../../contract/source-media.ts';
import { codecFamilies } from '../../../hls/codec-families.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { estimateBytes } from '../../../parsing/estimate-bytes.ts';
import { defined, unlessEmpty } from '../../../parsing/values.ts';
import type { ContentMedia } from '../../platform.ts';
import { type SizedPicture, withWidths } from './pictures.ts';
import type { VideoMetadata } from './player-metadata.ts';
import { type VideoVariant, videoVariants } from './variants.ts';

/** Forms of a stream, with the extension that renders use and the media type. */
const forms = {
  hls: { ext: 'm3u8', mimeType: 'application/vnd.apple.mpegurl' },
  http: { ext: 'mp4', mimeType: 'video/mp4' },
} as const;

/** The site rounds widths to multiples of up to 16 pixels: 848x480 is 16:9. */
const MAX_ROUNDING = 0.02;

/**
 * Returns a video's media: playlists before whole files, each with the best first. Streams of one quality from several
 * hosts become one item with the first link; the other links are its `alternates`.
 *
 * Renders start from playlists. Whole files are used only if there are no playlists.
 */
export function videoContent(video: VideoMetadata, master: MasterPlaylist | undefined): ContentMedia {
  const variants = videoVariants(video, master).toSorted(byForm);
  const duration = video.isLive ? undefined : video.duration;
  const form = variants.find(({ kind }) => kind !== 'audio')?.form;
  const media = [...Map.groupBy(variants, ({ repId }) => repId).values()].map((group) => ({
    kind: group[0]?.kind,
    media: sourceMedia(group, group[0]?.form === 'hls' || form === 'http', duration),
  }));
  return defined({
    videos: unlessEmpty(media.flatMap(({ kind, media }) => (kind === 'audio' ? [] : media))),
    audios: unlessEmpty(media.flatMap(({ kind, media }) => (kind === 'audio' ? media : []))),
    images: unlessEmpty(withWidths(video.thumbnails, aspectRatio(variants, video)).map(imageMedia)),
    unrenderable: video.isLive ? 'A live stream cannot be rendered because it has no end.' : undefined,
  });
}

/**
 * Returns the width of the video divided by its height: that of its largest stream. If the first frames, which are
 * larger, have the same ratio except for rounding, theirs is more precise.
 */
function aspectRatio(variants: readonly VideoVariant[], { firstFrames }: VideoMetadata): number | undefined {
  const [stream, frame] = [variants, firstFrames].map((sizes) =>
    sizes.map(({ width = 0, height = 0 }) => width / height).find((ratio) => Number.isFinite(ratio) && ratio > 0),
  );
  if (stream === undefined || frame === undefined) return stream ?? frame;
  return Math.abs(frame / stream - 1) < MAX_ROUNDING ? frame : stream;
}

function byForm(a: VideoVariant, b: VideoVariant): number {
  if (a.form !== b.form) return a.form === 'hls' ? -1 : 1;
  return (
    b.quality - a.quality ||
    b.width * b.height - a.width * a.height ||
    (b.fps ?? 0) - (a.fps ?? 0) ||
    (b.bandwidth ?? 0) - (a.bandwidth ?? 0)
  );
}

function sourceMedia(group: readonly VideoVariant[], renderable: boolean, duration: number | undefined): SourceMedia[] {
  const [variant, ...others] = group;
  if (variant === undefined) return [];
  const { label, url, repId, kind, form, width, height, fps, bandwidth, codecs, language } = variant;
  const bitrate = variant.averageBandwidth ?? bandwidth;
  const alternates = new Set(others.map((other) => other.url));
  alternates.delete(url);
  const item = {
    label,
    url,
    repId,
    metadata: {
      mime_type: forms[form].mimeType,
      width,
      height,
      has_audio: kind !== 'video',
      ...defined({
        fps,
        bitrate,
        bandwidth,
        codecs: codecs.length > 0 ? codecs.join(',') : undefined,
        language,
        alternates: unlessEmpty([...alternates]),
      }),
    },
  };
  return [renderable ? { item, stream: sourceStream(variant, bitrate, duration) } : { item }];
}

function sourceStream(variant: VideoVariant, bitrate: number | undefined, duration: number | undefined): SourceStream {
  const families = codecFamilies(variant.codecs);
  const estimatedBytes = estimateBytes(bitrate, duration);
  return {
    ext: forms[variant.form].ext,
    kind: variant.kind,
    ...defined({
      estimatedBytes,
      bitrate,
      videoCodec: variant.kind === 'audio' ? undefined : families.video,
      audioCodec: variant.kind === 'video' ? undefined : families.audio,
      language: toLanguageTag(variant.language),
      versionRank: variant.versionRank,
      secondary: variant.secondary === true ? true : undefined,
    }),
  };
}

function imageMedia({ url, width, height, label }: SizedPicture): SourceMedia {
  return {
    item: {
      label,
      url,
      repId: `thumbnail-${label}`,
      metadata: { mime_type: 'image/jpeg', width, height, has_audio: false },
    },
  };
}
