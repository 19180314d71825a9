import type { Clip } from '../contract/clip.ts';
import type { ContentMetadata } from '../contract/envelope.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import { count, fields } from '../parsing/values.ts';
import type { ContentMedia } from '../platforms/platform.ts';

/**
 * Returns the duration of a content item in seconds: that of its videos, of its post, or of its audio.
 *
 * @param ofPost Duration that the platform states for the post, if it has only one content item.
 */
export function durationOf({ videos, audios }: ContentMedia, ofPost: number | undefined): number | undefined {
  return longest(videos) ?? ofPost ?? longest(audios);
}

/** Returns the duration that a platform states for a post, in seconds. */
export function statedDuration({ additionalData }: ContentMetadata): number | undefined {
  const seconds = count(fields(additionalData).duration);
  return seconds === undefined || seconds === 0 ? undefined : seconds;
}

/**
 * Scales the sizes of a content's streams to a clip. If the duration is unknown, so are the sizes.
 *
 * @returns The content, or why it has no such clip, as a message for the caller.
 */
export function clipContent(
  content: ContentMedia,
  { start, end = Number.POSITIVE_INFINITY }: Clip,
  duration: number | undefined,
): ContentMedia | string {
  if (duration !== undefined && start >= duration) {
    return `Out of range: the clip starts at ${start} s, but the media ends at ${duration} s.`;
  }
  const share = duration === undefined ? undefined : (Math.min(end, duration) - start) / duration;
  const scale = (media: readonly SourceMedia[] | undefined) => media?.map((one) => scaleStream(one, share));
  const [videos, audios] = [scale(content.videos), scale(content.audios)];
  return { ...content, ...(videos === undefined ? {} : { videos }), ...(audios === undefined ? {} : { audios }) };
}

function longest(media: readonly SourceMedia[] = []): number | undefined {
  const durations = media.flatMap(({ item: { metadata } }) => {
    if (typeof metadata.duration === 'number') return metadata.duration;
    return typeof metadata.duration_ms === 'number' ? metadata.duration_ms / 1000 : [];
  });
  const known = durations.filter((duration) => Number.isFinite(duration) && duration > 0);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Replaces the size of a stream by an estimate of a share of it. */
function scaleStream({ item, stream }: SourceMedia, share: number | undefined): SourceMedia {
  if (stream === undefined) return { item };
  const { bytes, estimatedBytes = bytes, ...facts } = stream;
  const scaled = estimatedBytes === undefined || share === undefined ? undefined : Math.ceil(estimatedBytes * share);
  return { item, stream: { ...facts, ...(scaled === undefined ? {} : { estimatedBytes: scaled }) } };
}
