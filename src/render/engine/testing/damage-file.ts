import fc from 'fast-check';

/** Returns a damaged copy of a file. */
export type Damage = (whole: Buffer) => Buffer;

/** Bytes at the beginning of a file that consist almost entirely of structure. */
const headBytes = 4000;

/** A fraction of the file, 0 to 1. */
const part = fc.nat(999_999).map((millionths) => millionths / 1_000_000);

/** An offset in a file of the given size; half of the offsets are in the head. */
const place = fc.tuple(part, fc.boolean()).map(
  ([at, inHead]) =>
    (size: number) =>
      Math.floor(at * (inHead ? Math.min(size, headBytes) : size)),
);

const flips = (least: number, most: number) =>
  fc.array(fc.tuple(place, fc.nat(7)), { minLength: least, maxLength: most, size: 'max' }).map(
    (all): Damage =>
      (whole) => {
        const bytes = Buffer.from(whole);
        for (const [at, bit] of all) bytes[at(bytes.length)] = (bytes[at(bytes.length)] ?? 0) ^ (1 << bit);
        return bytes;
      },
  );

/** Kinds of damage, by name. */
export const damages = {
  'cut short': part.map(
    (at): Damage =>
      (whole) =>
        whole.subarray(0, Math.floor(at * whole.length)),
  ),
  'a few bits flipped': flips(1, 12),
  'many bits flipped': flips(100, 1000),
  'bytes zeroed': fc.tuple(place, fc.integer({ min: 1, max: 4000 })).map(
    ([at, length]): Damage =>
      (whole) =>
        Buffer.from(whole).fill(0, at(whole.length), Math.min(at(whole.length) + length, whole.length)),
  ),
  'sections swapped': fc.tuple(place, place, place).map(
    (cuts): Damage =>
      (whole) => {
        const [a = 0, b = 0, c = 0] = cuts.map((at) => at(whole.length)).sort((x, y) => x - y);
        return Buffer.concat([whole.subarray(0, a), whole.subarray(b, c), whole.subarray(a, b), whole.subarray(c)]);
      },
  ),
  'a length blown up': fc
    .tuple(part, fc.constantFrom(0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 0x00ff_ffff), fc.boolean())
    .map(
      ([which, length, wide]): Damage =>
        (whole) => {
          const bytes = Buffer.from(whole);
          const fields = lengthFields(bytes);
          const { at, little } = fields[Math.floor(which * fields.length)] ?? { at: 0, little: false };
          const width = wide ? 4 : 2;
          if (little) bytes.writeUIntLE(length % 256 ** width, at, width);
          else bytes.writeUIntBE(length % 256 ** width, at + 4 - width, width);
          return bytes;
        },
    ),
} satisfies Record<string, fc.Arbitrary<Damage>>;

/** Returns the offsets in the head of numbers that may be lengths or counts: integers smaller than the file. */
function lengthFields(bytes: Buffer): { readonly at: number; readonly little: boolean }[] {
  const fits = (value: number) => value > 0 && value < bytes.length;
  return Array.from({ length: Math.min(headBytes, bytes.length) - 4 }, (_, at) => [
    ...(fits(bytes.readUInt32BE(at)) ? [{ at, little: false }] : []),
    ...(fits(bytes.readUInt32LE(at)) ? [{ at, little: true }] : []),
  ]).flat();
}
