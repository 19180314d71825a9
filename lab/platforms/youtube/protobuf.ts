/** Protobuf messages (protobuf.dev/programming-guides/encoding) as in the site's tokens and filters. */

/** Member of a message: its number, and a whole number, a text or a nested message. */
export type Member = readonly [number: number, value: number | string | Uint8Array];

/** Decoded message: the last value of each number, as bytes if it was length-delimited. */
export type Message = ReadonlyMap<number, number | Buffer>;

/** Writes a message. */
export function message(...members: readonly Member[]): Buffer {
  return Buffer.concat(
    members.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)];
      const bytes = Buffer.from(value);
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

/** Writes a message as in `params` and `continuation`: URL-safe base64 with its padding, percent-encoded. */
export function encodeMembers(...members: readonly Member[]): string {
  const base64 = message(...members).toString('base64');
  return encodeURIComponent(base64.replaceAll('+', '-').replaceAll('/', '_'));
}

/**
 * Reads the output of {@link encodeMembers}, with or without its percent-encoding; returns undefined if it is not a
 * message.
 */
export function decodeMessage(text: string): Message | undefined {
  if (!/^[\w%+/=-]*$/.test(text)) return undefined;
  return readMessage(Buffer.from(text.replaceAll('%3D', '=').replaceAll('%3d', '='), 'base64'));
}

/** Reads a message; returns undefined if the bytes are not a message. */
export function readMessage(bytes: Buffer): Message | undefined {
  const members = new Map<number, number | Buffer>();
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || factor > 2 ** 56) return Number.NaN;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = next();
    const size = next();
    if (Number.isNaN(tag) || Number.isNaN(size) || (tag % 8 !== 0 && tag % 8 !== 2)) return undefined;
    if (tag % 8 === 0) {
      members.set(tag / 8, size);
    } else {
      if (at + size > bytes.length) return undefined;
      members.set((tag - 2) / 8, bytes.subarray(at, at + size));
      at += size;
    }
  }
  return members;
}

/** Returns a nested message by its path of numbers. */
export function inner(from: Message | undefined, ...path: readonly number[]): Message | undefined {
  let bytes = from;
  for (const number of path) {
    const value = bytes?.get(number);
    bytes = Buffer.isBuffer(value) ? readMessage(value) : undefined;
  }
  return bytes;
}

/** Returns a text member of a message. */
export function textOf(from: Message | undefined, number: number): string | undefined {
  const value = from?.get(number);
  return Buffer.isBuffer(value) ? value.toString() : undefined;
}

/** Returns a numeric member of a message. */
export function numberOf(from: Message | undefined, number: number): number | undefined {
  const value = from?.get(number);
  return typeof value === 'number' ? value : undefined;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}
