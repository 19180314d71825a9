/** A member of a message: its number, and an integer, text or nested message. Undefined values are omitted. */
type MessageField = readonly [number: number, value: number | string | Uint8Array | undefined];

/**
 * Encodes a protobuf message (protobuf.dev/programming-guides/encoding): numbers as varints, other values with their
 * length.
 */
export function encodeMessage(...members: readonly MessageField[]): Uint8Array {
  return Buffer.concat(
    members.flatMap(([number, value]) => {
      if (value === undefined) return [];
      if (typeof value === 'number') return [varint(number * 8), varint(value)];
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

/** Encodes a message for YouTube's `params` and `continuation`: URL-safe base64, percent-encoded. */
export function encodeParams(...members: readonly MessageField[]): string {
  const base64 = Buffer.from(encodeMessage(...members)).toString('base64');
  return encodeURIComponent(base64.replaceAll('+', '-').replaceAll('/', '_'));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/**
 * Returns the bytes of a nested member of a message in a `continuation`, by the numbers on its path. Returns undefined
 * for a text that is no message, and for a message without the member.
 */
export function findMember(params: string, ...path: readonly number[]): Uint8Array | undefined {
  const base64 = params.replaceAll(/%3d/gi, '=');
  let bytes: Uint8Array | undefined = /^[\w+/=-]*$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
  for (const number of path) bytes = bytes && memberOf(bytes, number);
  return bytes;
}

/** Returns the last member with a number, if it is a text or a message. */
function memberOf(message: Uint8Array, number: number): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  let at = 0;
  while (at < message.length) {
    const tag = readVarint(message, at);
    const value = tag && readVarint(message, tag.end);
    const kind = tag && tag.value % 8;
    if (tag === undefined || value === undefined || (kind !== 0 && kind !== 2)) return undefined;
    at = kind === 0 ? value.end : value.end + value.value;
    if (at > message.length) return undefined;
    if (kind === 2 && (tag.value - 2) / 8 === number) found = message.subarray(value.end, at);
  }
  return found;
}

function readVarint(message: Uint8Array, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  let factor = 1;
  for (let at = start; factor <= 2 ** 42; at += 1) {
    const byte = message[at];
    if (byte === undefined) return undefined;
    value += (byte % 0x80) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
    factor *= 0x80;
  }
  return undefined;
}
