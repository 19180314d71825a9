import type { FragmentPlacer } from '../fragment-placer.ts';

/**
 * Creates a placer that interleaves fragments from all inputs.
 *
 * @param length Number of bytes of a fragment.
 * @param limits Optional limits of the placer.
 */
export function createInterleavingPlacer(
  length: number,
  limits: Partial<Pick<FragmentPlacer, 'minBytes' | 'headBytes'>> = {},
): FragmentPlacer {
  return {
    maxInputs: 2,
    minBytes: 8 * 1024 * 1024,
    headBytes: 128 * 1024,
    ...limits,
    place(heads) {
      const fragments = heads.flatMap(({ size }, input) =>
        Array.from({ length: Math.ceil(size / length) }, (_, index) => {
          const from = index * length;
          return { input, from, to: Math.min(from + length, size) - 1 };
        }),
      );
      let bytes = 0;
      const ranges = fragments
        .toSorted((a, b) => a.from - b.from)
        .map((fragment) => {
          const destination = bytes;
          bytes += fragment.to - fragment.from + 1;
          return { ...fragment, destination };
        });
      return { placement: { ranges, bytes } };
    },
  };
}

/** Interleaves fragments of 300 KiB. */
export const interleavingPlacer = createInterleavingPlacer(300 * 1024);
