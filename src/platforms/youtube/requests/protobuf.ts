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
