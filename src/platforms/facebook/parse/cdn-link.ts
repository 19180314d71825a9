import { queryParameter } from '../../../contract/query-parameters.ts';
import { parseSiteUrl } from '../../site-urls.ts';

/**
 * Reads the dimensions of an image from its link. `cstp=mx…` is the size of its original, `ctp=s…` the box it was
 * fitted into (both seen in every link of 2026-07).
 */
export function pictureSize(link: string): { readonly width?: number; readonly height?: number } {
  const url = parseSiteUrl(link);
  const whole = /^mx(\d{1,5})x(\d{1,5})$/.exec(queryParameter(url, 'cstp') ?? '');
  const box = /^s(\d{1,5})x(\d{1,5})$/.exec(queryParameter(url, 'ctp') ?? '');
  if (whole === null || box === null) return {};
  const [width, height] = [Number(whole[1]), Number(whole[2])];
  const scale = Math.min(1, Number(box[1]) / width, Number(box[2]) / height);
  if (!(scale > 0)) return {};
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Reads a link to a whole video file: the width it was encoded for, the encoding's name, and bits per second. */
export function videoFacts(link: string): { width?: number; encoding?: string; bitrate?: number } {
  const url = parseSiteUrl(link);
  const encoding = /"vencode_tag":"([\w.-]{1,100})"/.exec(decodeBase64(queryParameter(url, 'efg') ?? ''))?.[1];
  const width = /\.C\d+\.(\d{2,4})\./.exec(encoding ?? '')?.[1];
  const bitrate = /^\d{3,10}$/.exec(queryParameter(url, 'bitrate') ?? '')?.[0];
  return {
    ...(width === undefined ? {} : { width: Number(width) }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(bitrate === undefined ? {} : { bitrate: Number(bitrate) }),
  };
}

function decodeBase64(base64: string): string {
  return Buffer.from(base64.slice(0, 4000), 'base64').toString('utf8');
}

/** Returns the file extension in a link's path. */
function extensionOf(link: string): string | undefined {
  return /\.([a-z\d]{2,4})$/i.exec(parseSiteUrl(link)?.pathname ?? '')?.[1]?.toLowerCase();
}

const pictureTypes: Readonly<Record<string, string>> = { png: 'image/png', gif: 'image/gif', webp: 'image/webp' };

/**
 * Returns an image's media type: that of the conversion in its link (`stp=dst-jpg_tt6`), or else that of its file
 * extension.
 */
export function pictureType(link: string): string {
  const conversion = /(?:^|_)dst-([a-z]{3,4})/.exec(queryParameter(parseSiteUrl(link), 'stp') ?? '')?.[1];
  return pictureTypes[conversion ?? extensionOf(link) ?? ''] ?? 'image/jpeg';
}
