/** A format of images that can be read. */
export interface ImageFormat {
  /** Display name for messages. */
  readonly title: string;
  /** FFmpeg's name of the demuxer, which is opened without probing. */
  readonly demuxer: 'jpeg_pipe' | 'png_pipe' | 'webp_pipe' | 'webp_anim' | 'gif' | 'mov';
}

/** Number of leading bytes that {@link detectImageFormat} needs. */
export const imageHeadBytes = 64;

/**
 * Detects the format of an image from its first bytes, regardless of its name. Returns a title without a demuxer for
 * images that are known but cannot be read, and undefined for everything else.
 */
export function detectImageFormat(head: Buffer): ImageFormat | { readonly title: string } | undefined {
  const text = (from: number, to: number) => head.toString('latin1', from, to);
  if (text(0, 3) === '\xff\xd8\xff') return { title: 'JPEG', demuxer: 'jpeg_pipe' };
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return { title: 'PNG', demuxer: 'png_pipe' };
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return { title: 'GIF', demuxer: 'gif' };
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') {
    return { title: 'WebP', demuxer: isAnimated(head) ? 'webp_anim' : 'webp_pipe' };
  }
  if (text(4, 8) !== 'ftyp') return undefined;
  const brands = brandsOf(head);
  if (brands.includes('avif') || brands.includes('avis')) return { title: 'AVIF', demuxer: 'mov' };
  return brands.some((brand) => heicBrands.has(brand)) ? { title: 'HEIC' } : undefined;
}

/** Brands of HEIC images. Most are a grid of tiles, which the media library does not join. */
const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1']);

/** Whether a WebP file has the animation flag (https://developers.google.com/speed/webp/docs/riff_container). */
function isAnimated(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 0x02) !== 0;
}

/** Returns the major brand of an ISO file and those of its compatible brands that are in the head. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.length, head.length < 4 ? 0 : head.readUInt32BE(0));
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) {
    // The four bytes after the major brand are a version.
    if (at !== 12) brands.push(head.toString('latin1', at, at + 4));
  }
  return brands;
}
