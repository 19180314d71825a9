import type { FragmentPlacer } from '../fragment-placer.ts';

/** Interleaves fragments of 300 KiB from all inputs. */
export const interleavingPlacer: FragmentPlacer = {
  maxInputs: 2,
  headBytes: 128 * 1024,
  place(heads) {
    const length = 300 * 1024;
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
