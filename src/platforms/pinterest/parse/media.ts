import type { SourceMedia } from '../../../contract/source-media.ts';
import { defined, httpUrl } from '../../../parsing/values.ts';
import type { PictureVariant } from './pictures.ts';
import type { VideoForm } from './videos.ts';

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

/** A size of a picture as an item of the contract, labelled by its pixels, or by the size's name where unknown. */
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
 * A form of a video as an item of the contract. The site does not say whether a video has sound; its player treats all
 * as if they had.
 */
export function videoMedia(form: VideoForm): SourceMedia {
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
  };
}

/** The picture that stands for a video before it plays. */
export function posterMedia({ thumbnail, sourceWidth, sourceHeight }: VideoForm): SourceMedia | undefined {
  if (thumbnail === undefined) return undefined;
  const size = defined({ width: sourceWidth, height: sourceHeight });
  return imageMedia({ name: 'poster', url: thumbnail, ...size });
}

/** Music of a page as an item of the contract. */
export function audioMedia(address: unknown): SourceMedia | undefined {
  const url = httpUrl(address);
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
  };
}

/**
 * The pixels of a form. What the site states are those of the upload (a V_720P of 1080x1920 is 720x1280, measured
 * 2026-06); a playlist reaches up to them, the experimental files are of unknown size.
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

/** The addresses of files since 2025 contain their width: `…/expMp4/…_720w.mp4`. */
function widthInUrl(url: string): number | undefined {
  const width = /_(\d{3,4})w\.mp4$/.exec(URL.parse(url)?.pathname ?? '')?.[1];
  return width === undefined ? undefined : Number(width);
}

function scale(width: number, height: number, by: number): { width: number; height: number } {
  const factor = Math.min(1, by);
  const even = (pixels: number) => (factor === 1 ? pixels : Math.max(2, 2 * Math.round((pixels * factor) / 2)));
  return { width: even(width), height: even(height) };
}

function extensionOf(url: string): string {
  return /\.([a-z0-9]{2,4})$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? '';
}
