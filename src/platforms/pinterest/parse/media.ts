import type { SourceMedia } from '../../../contract/source-media.ts';
import { defined, unlessEmpty } from '../../../parsing/values.ts';
import type { ContentMedia } from '../../platform.ts';
import { httpSiteUrl, parseSiteUrl } from '../../site-urls.ts';
import type { UnreadKinds } from '../../unread.ts';
import type { PictureVariant } from './pictures.ts';
import type { VideoForm } from './videos.ts';

/** The media of a pin, or of a part of it. */
export interface PinMedia {
  readonly contents: readonly ContentMedia[];
  /** Pages, blocks, slots and members with media that no reader knows. */
  readonly unread: UnreadKinds;
}

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  m3u8: 'application/vnd.apple.mpegurl',
};

/** Returns an image size as a media item, labelled by its dimensions, or by the size's name if they are unknown. */
export function imageMedia({ name, url, width, height, alternates }: PictureVariant): SourceMedia {
  const label = width === undefined || height === undefined ? name : `${width}x${height}`;
  return {
    item: {
      label,
      url,
      repId: name,
      metadata: {
        mime_type: types[extensionOf(url)] ?? 'image/jpeg',
        width: width ?? 0,
        height: height ?? 0,
        has_audio: false,
        ...defined({ alternates }),
      },
    },
  };
}

/**
 * Returns a form of a video as a media item. The site does not state whether a video has audio; its player treats all
 * videos as if they had audio.
 */
function videoMedia(form: VideoForm): SourceMedia {
  const { key, url, kind, sourceWidth, sourceHeight, duration, thumbnail, captions } = form;
  const size = pixelsOf(form);
  const short = Math.min(size?.width ?? 0, size?.height ?? 0);
  const quality = short > 0 ? `${short}p` : undefined;
  const formName = key.replace(/^V_/, '').toLowerCase();
  return {
    item: {
      label: kind === 'm3u8' ? `hls-${short || formName}` : isMeasured(form) && quality ? quality : formName,
      url,
      repId: key,
      metadata: {
        mime_type: types[kind] ?? 'video/mp4',
        width: size?.width ?? 0,
        height: size?.height ?? 0,
        has_audio: true,
        ...defined({
          duration,
          sourceWidth,
          sourceHeight,
          codecs: key.includes('HEVC') ? 'hevc' : undefined,
          thumbnail,
          captions,
        }),
      },
    },
    // The codecs of playlists and of files with other names are unknown. All recorded V_720P files are H.264 (to 2026-11).
    stream: {
      ext: kind,
      kind: 'muxed',
      ...(key.includes('HEVC') ? { videoCodec: 'hevc' } : {}),
      ...(kind === 'mp4' ? { audioCodec: 'aac' } : {}),
    },
  };
}

/** Returns an image in its sizes as a content item, without members if there are no sizes. */
export function imageContent(sizes: readonly PictureVariant[]): ContentMedia {
  return defined({ images: unlessEmpty(sizes.map(imageMedia)) });
}

/** Returns a video in its forms as a content item, with its poster and the given images. */
export function videoContent(forms: readonly VideoForm[], sizes: readonly PictureVariant[]): ContentMedia {
  const poster = forms.map(posterMedia).find((media) => media !== undefined);
  const images = [...(poster === undefined ? [] : [poster]), ...sizes.map(imageMedia)];
  return defined({ videos: unlessEmpty(uniquely(forms.map(videoMedia))), images: unlessEmpty(images) });
}

/** Adds numbers to media items that share a name. */
function uniquely(media: readonly SourceMedia[]): SourceMedia[] {
  const timesById = new Map<string, number>();
  return media.map((one) => {
    const { repId } = one.item;
    const times = (timesById.get(repId) ?? 0) + 1;
    timesById.set(repId, times);
    return times === 1 ? one : { ...one, item: { ...one.item, repId: `${repId}-${times}` } };
  });
}

/** Returns the poster image of a video. */
function posterMedia({ thumbnail, sourceWidth, sourceHeight }: VideoForm): SourceMedia | undefined {
  if (thumbnail === undefined) return undefined;
  const size = defined({ width: sourceWidth, height: sourceHeight });
  return imageMedia({ name: 'poster', url: thumbnail, ...size });
}

/**
 * Returns a page's music as a media item.
 *
 * @param withVideo Whether the page has a video, whose own audio takes precedence.
 */
export function audioMedia(address: unknown, withVideo: boolean): SourceMedia | undefined {
  const url = httpSiteUrl(address);
  if (url === undefined) return undefined;
  const type = types[extensionOf(url)];
  const mimeType = type === 'video/mp4' || type === undefined ? 'audio/mp4' : type;
  return {
    item: {
      label: 'music',
      url,
      repId: 'music',
      metadata: { mime_type: mimeType, width: 0, height: 0, has_audio: true },
    },
    stream: {
      kind: 'audio',
      ...(mimeType === 'audio/mpeg' ? { ext: 'mp3', audioCodec: 'mp3' } : { ext: 'm4a', audioCodec: 'aac' }),
      ...(withVideo ? { secondary: true } : {}),
    },
  };
}

/**
 * Returns the dimensions of a form. The site states only those of the upload (a V_720P of 1080x1920 is 720x1280,
 * measured 2026-06). For a playlist, they are the maximum. The size of the experimental files is unknown.
 */
function pixelsOf(form: VideoForm): { readonly width: number; readonly height: number } | undefined {
  const { sourceWidth: width, sourceHeight: height } = form;
  if (width === undefined || height === undefined) return undefined;
  const ownWidth = widthInUrl(form.url);
  if (ownWidth !== undefined) return scale(width, height, ownWidth / width);
  if (isMeasured(form)) return scale(width, height, 720 / Math.min(width, height));
  return { width, height };
}

function isMeasured({ key, url }: VideoForm): boolean {
  return key === 'V_720P' || widthInUrl(url) !== undefined || url.includes('/720p/');
}

/** Returns the width in a file's address, which contains it since 2025: `…/expMp4/…_720w.mp4`. */
function widthInUrl(url: string): number | undefined {
  const width = /_(\d{3,4})w\.mp4$/.exec(parseSiteUrl(url)?.pathname ?? '')?.[1];
  return width === undefined ? undefined : Number(width);
}

function scale(width: number, height: number, by: number): { width: number; height: number } {
  const factor = Math.min(1, by);
  const even = (pixels: number) => (factor === 1 ? pixels : Math.max(2, 2 * Math.round((pixels * factor) / 2)));
  return { width: even(width), height: even(height) };
}

function extensionOf(url: string): string {
  return /\.([a-z0-9]{2,4})$/i.exec(parseSiteUrl(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? '';
}
