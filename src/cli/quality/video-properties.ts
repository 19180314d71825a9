import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';

/**
 * Returns the resolution of a video as people know it: the number in its label (`1080p60`, `hls-720`), or else its
 * shorter side in pixels, so that upright videos count like others. Undefined if both are unknown.
 */
export function resolutionOf({ label, metadata: { width, height } }: MediaItem): number | undefined {
  const [, digits] = /^(?:hls-|http-)?(\d{3,4})(?:p|$)/i.exec(label) ?? [];
  if (digits !== undefined) return Number(digits);
  const side = Math.min(width, height);
  return side > 0 ? side : undefined;
}

/** Returns the frames per second of a video, rounded; undefined if unknown. */
export function fpsOf({ label, metadata: { fps } }: MediaItem): number | undefined {
  if (typeof fps === 'number' && fps > 0) return Math.round(fps);
  const [, digits] = /^\d{3,4}p(\d{2,3})(?:\D|$)/.exec(label) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether a video has a high dynamic range. */
export function isHdr({ label, metadata }: MediaItem): boolean {
  return metadata.is_hdr === true || /\bHDR\b/i.test(label);
}

/** Returns the bytes of a video with its audio, which is joined with videos that have none; undefined if unknown. */
export function bytesOf({ metadata }: MediaItem, { audios = [] }: ExtractedContent): number | undefined {
  const { content_length: bytes, has_audio: hasAudio } = metadata;
  if (bytes === undefined || hasAudio || audios.length === 0) return bytes;
  const sizes = audios
    .filter((audio) => /^audio\/mp4/.test(audio.metadata.mime_type))
    .flatMap((audio) => audio.metadata.content_length ?? []);
  return sizes.length === 0 ? undefined : bytes + Math.max(...sizes);
}
