import { codecFamilies } from '../../hls/codec-families.ts';
import type { Variant } from '../../hls/master-playlist.ts';

/**
 * Orders the variants of a master playlist, best first. Those with pictures come first, then those in SDR, because players
 * show HDR in wrong colours unless they expect it. Then count the size of the picture, frame rate, a codec that the result can store, and bandwidth. A high
 * bandwidth alone says little: an old codec needs more of it for a smaller picture. Equal variants keep their order.
 *
 * @param stores Whether the result can store a codec, such as `hevc`.
 */
export function rankVariants(variants: readonly Variant[], stores: (codec: string) => boolean): Variant[] {
  const rankOf = (variant: Variant): readonly number[] => {
    const { width = 0, height = 0, frameRate = 0, bandwidth = 0, codecs } = variant;
    const { video } = codecFamilies(codecs);
    return [
      Number(hasPicture(variant)),
      Number((variant.attributes.get('VIDEO-RANGE') ?? 'SDR') === 'SDR'),
      width * height,
      frameRate,
      Number(video === undefined || stores(video)),
      bandwidth,
    ];
  };
  const ranked = variants.map((variant) => ({ variant, rank: rankOf(variant) }));
  return ranked.toSorted((one, other) => compare(other.rank, one.rank)).map(({ variant }) => variant);
}

/** Whether a variant has video, as far as the playlist states it. */
export function hasPicture({ codecs, width, height }: Variant): boolean {
  const hasSize = width !== undefined && height !== undefined;
  return hasSize || codecs.length === 0 || codecFamilies(codecs).video !== undefined;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
