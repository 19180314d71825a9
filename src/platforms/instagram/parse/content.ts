import { MillraceError } from '../../../contract/errors.ts';
import { queryParameter } from '../../../contract/query-parameters.ts';
import type { SourceMedia } from '../../../contract/source-media.ts';
import { createDashMedia, createUniqueNamer } from '../../../dash/dash-media.ts';
import { estimateBytes } from '../../../parsing/estimate-bytes.ts';
import { defined, unlessEmpty } from '../../../parsing/values.ts';
import { expiryMetadata, expiryOf } from '../../meta-cdn.ts';
import type { ContentMedia } from '../../platform.ts';
import { parseSiteManifest } from '../../reading.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import type { PostMedia, VideoFile } from './post.ts';

/** Returns the media of one image or video of a post, with a note that gives the reason if some are missing. */
export function mediaContent(media: PostMedia): { readonly content: ContentMedia; readonly note?: string } {
  const { dash, note } = readDash(media.manifest);
  const name = createUniqueNamer();
  const files = largestFirst(media.videos).map((file) => progressive(file, media));
  const videos = [...files, ...dash.videos].map((video) => ({
    ...video,
    item: { ...video.item, repId: name(video.item.repId) },
  }));
  const content = defined({
    videos: unlessEmpty(videos),
    audios: unlessEmpty(dash.audios),
    images: unlessEmpty(imagesOf(media)),
  });
  const missing =
    media.isVideo && videos.length === 0 && note === undefined ? 'Instagram did not send the file of a video.' : note;
  return { content, ...(missing === undefined ? {} : { note: missing }) };
}

function readDash(manifest: string | undefined) {
  const none = { videos: [], audios: [] };
  if (manifest === undefined) return { dash: none };
  try {
    return { dash: createDashMedia(parseSiteManifest(manifest), expiryOf) };
  } catch (error) {
    // Not an error: the progressive files are available without the manifest.
    if (!(error instanceof MillraceError)) throw error;
    return { dash: none, note: `Some qualities are missing: ${error.message}` };
  }
}

/**
 * Returns a progressive file with video and audio. Instagram always encodes these as H.264 with AAC (recordings to
 * 2026-10).
 */
function progressive({ url, width = 0, height = 0, id, bitrate }: VideoFile, media: PostMedia): SourceMedia {
  const label = width > 0 && height > 0 ? `${Math.min(width, height)}p` : 'video';
  const expiresAt = expiryOf(url);
  const estimatedBytes = estimateBytes(bitrate, media.duration);
  return {
    item: {
      label,
      url,
      repId: id ?? `progressive-${label}`,
      metadata: {
        mime_type: 'video/mp4',
        width,
        height,
        has_audio: media.hasAudio,
        ...defined({ bitrate, duration: media.duration }),
        ...expiryMetadata(url),
      },
    },
    stream: {
      ext: 'mp4',
      kind: media.hasAudio ? 'muxed' : 'video',
      videoCodec: 'h264',
      ...(media.hasAudio ? { audioCodec: 'aac' } : {}),
      ...defined({ bitrate, estimatedBytes, expiresAt }),
    },
  };
}

function imagesOf({ images, alt }: PostMedia): SourceMedia[] {
  const name = createUniqueNamer();
  return largestFirst(images).map(({ url, width = 0, height = 0 }) => {
    const label = width > 0 ? `${width}x${height}` : 'image';
    const metadata = {
      mime_type: mimeOf(url),
      width,
      height,
      has_audio: false,
      ...defined({ alt }),
      ...expiryMetadata(url),
    };
    return { item: { label, url, repId: name(label), metadata } };
  });
}

/** Returns images or files sorted by their number of pixels. Those without a size come last. */
function largestFirst<Sized extends { readonly width?: number; readonly height?: number }>(
  items: readonly Sized[],
): readonly Sized[] {
  const pixels = ({ width = 0, height = 0 }: Sized) => width * height;
  return items.toSorted((a, b) => pixels(b) - pixels(a));
}

/** Returns the media type that the CDN converts an image to (`stp=dst-jpg`), or else that of its file extension. */
function mimeOf(url: string): string {
  const address = parseSiteUrl(url);
  const target = /(?:^|_)dst-(jpg|webp|png|heic)/.exec(queryParameter(address, 'stp') ?? '')?.[1];
  const type = target ?? /\.(webp|png|heic)$/.exec(address?.pathname ?? '')?.[1] ?? 'jpg';
  return `image/${type === 'jpg' ? 'jpeg' : type}`;
}
