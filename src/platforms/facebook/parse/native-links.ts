import { dig, list, text } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { deliveryCopies, deliveryResult } from './delivery.ts';
import { type Copies, pick } from './records.ts';

/** A whole file, with audio. */
interface NativeLink {
  readonly label: 'native_hd' | 'native_sd';
  readonly url: string;
}

/** Members that have contained the links of whole files, those of the newest site version first. */
const nativeMembers = {
  native_hd: ['browser_native_hd_url', 'playable_url_quality_hd', 'hd_src', 'hd_src_no_ratelimit'],
  native_sd: ['browser_native_sd_url', 'playable_url', 'sd_src', 'sd_src_no_ratelimit'],
} as const;

/** Returns the whole files of a video. */
export function nativeLinks(copies: Copies): NativeLink[] {
  const delivery = deliveryCopies(copies);
  const progressive = progressiveLinks(copies);
  const links = (['native_hd', 'native_sd'] as const).flatMap((label) => {
    const url =
      pick(delivery, (copy) =>
        pick([copy], (fields) => nativeMembers[label].map((n) => httpSiteUrl(fields[n])).find(Boolean)),
      ) ?? progressive.find((link) => link.label === label)?.url;
    return url === undefined ? [] : [{ label, url }];
  });
  // Small videos have the same file under both names.
  return links.length === 2 && links[0]?.url === links[1]?.url ? links.slice(1) : links;
}

/** Reads the newer format (seen since 2026-08). If neither of two files has a quality, the first is the better one. */
function progressiveLinks(copies: Copies): NativeLink[] {
  const files = copies
    .flatMap((copy) => list(dig(deliveryResult(copy), 'progressive_urls')))
    .slice(0, 20)
    .flatMap((file) => {
      const url = httpSiteUrl(dig(file, 'progressive_url'));
      return url === undefined ? [] : [{ url, quality: text(dig(file, 'metadata', 'quality')) }];
    });
  const filesWithoutQuality = files.filter(({ quality }) => quality === undefined);
  return files.map(({ url, quality }) => {
    const better =
      quality === undefined ? filesWithoutQuality.length > 1 && filesWithoutQuality[0]?.url === url : quality === 'HD';
    return { label: better ? 'native_hd' : 'native_sd', url };
  });
}
