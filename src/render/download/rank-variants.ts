import { codecFamilies } from '../../hls/codec-families.ts';
import type { Variant } from '../../hls/master-playlist.ts';

/**
 * Orders the variants of a master playlist, best first. Those in SDR come first, because players show HDR in wrong
 * colours unless they expect it. Then count picture, frame rate, a codec that the result can store, and bandwidth. A high
 * bandwidth alone says little: an old codec needs more of it for a smaller picture. Equal variants keep their order.
 *
 * @param stores Whether the result can store a codec, such as `hevc`.
 */
export function rankVariants(variants: readonly Variant[], stores: (codec: string) => boolean): Variant[] {
  const rankOf = (variant: Variant): readonly number[] => {
    const { width = 0, height = 0, frameRate = 0, bandwidth = 0, codecs } = variant;
    const { video } = codecFamilies(codecs);
    return [
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

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
