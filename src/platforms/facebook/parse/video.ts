import type { SourceMedia } from '../../../contract/source-media.ts';
import { estimateBytes } from '../../../parsing/estimate-bytes.ts';
import { count, defined, flag, unlessEmpty } from '../../../parsing/values.ts';
import { expiryMetadata, expiryOf } from '../../meta-cdn.ts';
import type { ContentMedia } from '../../platform.ts';
import { videoFacts } from './cdn-link.ts';
import { nativeLinks } from './native-links.ts';
import { pictureMedia, readPictures } from './pictures.ts';
import { type Copies, pick, type Records } from './records.ts';
import { variantsOf } from './variants.ts';

/** Properties of a video other than its files. */
export interface VideoFacts {
  /** Pixels of the uploaded video. */
  readonly width?: number;
  readonly height?: number;
  /** Seconds. */
  readonly duration?: number;
  readonly live: boolean;
  readonly hasAudio: boolean;
}

/** Reads the properties of a video. */
export function readVideoFacts(copies: Copies): VideoFacts {
  const milliseconds = pick(copies, ({ playable_duration_in_ms: ms }) => count(ms));
  const size = copies.find(({ width, height }) => count(width) !== undefined && count(height) !== undefined);
  return {
    ...defined({
      width: count(size?.width),
      height: count(size?.height),
      duration:
        pick(copies, ({ length_in_second: seconds }) => count(seconds)) ??
        (milliseconds === undefined ? undefined : milliseconds / 1000),
    }),
    live:
      copies.some((copy) => flag(copy.is_live_streaming) === true) ||
      copies.some((copy) => copy.broadcast_status === 'LIVE'),
    hasAudio: !copies.some((copy) => copy.audio_availability === 'UNAVAILABLE'),
  };
}

/**
 * Returns the files of a video: whole files with audio, then the manifest's files without audio by resolution. Returns
 * undefined if no copy lists any files.
 */
export function videoContent(copies: Copies, records: Records): ContentMedia | undefined {
  const facts = readVideoFacts(copies);
  const natives = nativeLinks(copies).map(({ label, url }) => nativeMedia(label, url, facts));
  const { videos, audios } = variantsOf(copies, records, facts.duration);
  if (natives.length + videos.length + audios.length === 0) return undefined;
  return defined({
    videos: unlessEmpty([...natives, ...videos]),
    audios: unlessEmpty(audios),
    images: unlessEmpty(pictureMedia(readPictures(copies))),
    unrenderable: facts.live ? 'A live broadcast cannot be rendered because it has no end.' : undefined,
  });
}

/** Returns a whole file. The link contains its width; the height follows from the upload's aspect ratio. */
function nativeMedia(label: string, url: string, source: VideoFacts): SourceMedia {
  const { width = 0, encoding, bitrate } = videoFacts(url);
  const ratio = source.width && source.height ? source.height / source.width : undefined;
  const hasSize = width > 0 && ratio !== undefined;
  const expiresAt = expiryOf(url);
  const { duration, hasAudio } = source;
  const estimatedBytes = estimateBytes(bitrate, duration);
  const item = {
    label,
    url,
    repId: label,
    metadata: {
      mime_type: 'video/mp4',
      width: hasSize ? width : 0,
      height: hasSize ? 2 * Math.round((width * ratio) / 2) : 0,
      has_audio: hasAudio,
      ...defined({ bitrate, encoding, duration }),
      ...expiryMetadata(url),
    },
  };
  // All encodings of whole files are H.264 with AAC (`dash_h264-basic-gen2_720p`, `sve_sd`; seen 2026-07).
  const codecs = { videoCodec: 'h264', ...(hasAudio ? { audioCodec: 'aac' } : {}) };
  const stream = {
    ext: 'mp4',
    kind: hasAudio ? ('muxed' as const) : ('video' as const),
    ...codecs,
    ...defined({ bitrate, estimatedBytes, expiresAt }),
  };
  return { item, stream };
}
