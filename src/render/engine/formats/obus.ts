/** A unit of an AV1 stream (AV1 Bitstream & Decoding Process Specification, §5.3). */
export interface Obu {
  readonly type: number;
  readonly body: Buffer;
}

const tooShort = 'the units of a packet do not fit into it';

/**
 * Reads the OBUs of a temporal unit in turn.
 *
 * @returns what is wrong with the unit that cannot be read, as a clause; undefined if all were read.
 */
export function* readObus(bytes: Buffer): Generator<Obu, string | undefined> {
  let at = 0;
  while (at < bytes.length) {
    const header = bytes[at] ?? 0;
    if ((header & 0x80) !== 0) return 'a unit of a packet has an invalid header';
    const type = (header >> 3) & 0xf;
    at += (header & 4) === 0 ? 1 : 2;
    if (at > bytes.length) return tooShort;
    // Only the last unit may have no size.
    const size = (header & 2) === 0 ? { value: bytes.length - at, end: at } : readLeb128(bytes, at);
    if (size === undefined) return 'a unit of a packet has an invalid size';
    at = size.end + size.value;
    if (at > bytes.length) return tooShort;
    yield { type, body: bytes.subarray(size.end, at) };
  }
  return undefined;
}

/** Reads a number of at most eight bytes of seven bits each (AV1 specification, §4.10.5). */
function readLeb128(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  return undefined;
}
