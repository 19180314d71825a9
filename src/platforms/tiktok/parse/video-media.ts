import type { SourceMedia } from '../../../contract/source-media.ts';
import { estimateBytes } from '../../../parsing/estimate-bytes.ts';
import { defined } from '../../../parsing/values.ts';
import type { MediaAccess } from './media-access.ts';
import { expiryOf, expiryText } from './media-links.ts';
import type { VideoFile } from './video-files.ts';

/** The MP4 names of the site's codecs. */
const codecNames = { h264: 'avc1', hevc: 'hvc1' } as const;

/**
 * Returns the files of a video as media items, the main one first.
 *
 * @param duration Seconds.
 */
export function videoMedia(
  files: readonly VideoFile[],
  duration: number | undefined,
  access: MediaAccess,
): SourceMedia[] {
  return files.map((file) => sourceMedia(file, duration, access));
}

function sourceMedia(file: VideoFile, duration: number | undefined, access: MediaAccess): SourceMedia {
  const { url, repId, label, main, width, height, hasAudio, codec, bitrate, bytes, fps } = file;
  const estimatedBytes = bytes === undefined ? estimateBytes(bitrate, duration) : undefined;
  return {
    item: {
      label,
      url,
      repId,
      metadata: {
        mime_type: 'video/mp4',
        width,
        height,
        has_audio: hasAudio,
        main,
        ...defined({
          content_length: bytes,
          codec,
          codecs: codec && codecNames[codec],
          bitrate,
          fps,
          duration,
          gear_name: file.gearName,
          quality_type: file.qualityType,
          expires_at: expiryText(url),
        }),
      },
    },
    stream: {
      ext: 'mp4',
      kind: hasAudio ? 'muxed' : 'video',
      ...defined({
        bytes,
        estimatedBytes,
        bitrate,
        videoCodec: codec,
        audioCodec: hasAudio ? 'aac' : undefined,
        expiresAt: expiryOf(url),
      }),
      ...access.of(url),
    },
  };
}
