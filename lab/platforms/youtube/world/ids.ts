/**
 * IDs of the simulated site. Each ID is a small number, counted from 1 and spread over as many bytes as the site's IDs
 * have. The number can be read back from the ID, so nothing is stored. An ID of any other number is invalid.
 */

/** Writes the numbers of one kind of entity as IDs and reads them back. */
interface IdKind {
  /** Returns the ID of a number below 2^48. */
  write(number: number): string;
  /** Returns the number of an ID; undefined for any other text. */
  parse(id: string): number | undefined;
}

/** Limit of the numbers. The other bits of a decoded ID must be zero, which distinguishes the lab's IDs from others. */
const limit = 1n << 48n;

/** Odd, so that it has an inverse modulo every power of two. */
const multiplier = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251n;

/** 11 characters. */
export const videoIds = idKind('', 8);
/** `UC` and 22 characters. */
export const channelIds = idKind('UC', 16);
/** `PL` and 32 characters. */
export const playlistIds = idKind('PL', 24);
/** `Ugkx` and 32 characters. */
export const postIds = idKind('Ugkx', 24);
/** `Ugx`, 16 characters and `4AaABAg`. */
export const commentIds = idKind('Ugx', 12, '4AaABAg');
/** End of a reply's ID after the comment's ID and a dot: `9L` and 20 characters. */
export const replyIds = idKind('9L', 15);

/** Combines two numbers into one; `minor` is below 2^20. */
export function pair(major: number, minor: number): number {
  return major * 2 ** 20 + minor;
}

/** Returns the two numbers of {@link pair}. */
export function unpair(number: number): readonly [major: number, minor: number] {
  return [Math.floor(number / 2 ** 20), number % 2 ** 20];
}

function idKind(prefix: string, bytes: number, suffix = ''): IdKind {
  const size = BigInt(bytes * 8);
  const factor = BigInt.asUintN(Number(size), multiplier);
  const inverse = inverseOf(factor, Number(size));
  const length = Math.ceil((bytes * 4) / 3);
  return {
    write(number) {
      const hex = BigInt.asUintN(Number(size), BigInt(number + 1) * factor).toString(16);
      return `${prefix}${Buffer.from(hex.padStart(bytes * 2, '0'), 'hex').toString('base64url')}${suffix}`;
    },
    parse(id) {
      const text = id.slice(prefix.length, prefix.length + length);
      if (id !== `${prefix}${text}${suffix}` || !/^[\w-]+$/.test(text)) return undefined;
      const decoded = Buffer.from(text, 'base64url');
      if (decoded.length !== bytes || decoded.toString('base64url') !== text) return undefined;
      const number = BigInt.asUintN(Number(size), BigInt(`0x${decoded.toString('hex')}`) * inverse);
      return number > 0n && number < limit ? Number(number) - 1 : undefined;
    },
  };
}

/**
 * Returns the inverse of an odd number modulo a power of two, by Newton's iteration: each step doubles the correct
 * bits.
 */
function inverseOf(odd: bigint, bits: number): bigint {
  let inverse = 1n;
  for (let right = 1; right < bits; right *= 2) inverse = BigInt.asUintN(bits, inverse * (2n - odd * inverse));
  return inverse;
}
