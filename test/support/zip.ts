/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads an archive of stored files strictly: its directory, local headers and data descriptors must agree with each other
 * and with the bytes (APPNOTE.TXT 6.3.10, §4.3), and nothing may lie between or after them.
 *
 * @throws Error that names what does not agree.
 */
export function readZip(archive: Uint8Array): readonly ZipEntry[] {
  const { uint16, uint32 } = readerOf(archive);
  const end = archive.length - 22;
  expectSame('the end of the directory', uint32(end), 0x06054b50);
  const [count, size, start] = [uint16(end + 10), uint32(end + 12), uint32(end + 16)];
  expectSame('the end of the directory', start + size, end);
  const entries: ZipEntry[] = [];
  let at = start;
  let next = 0;
  while (at < end) {
    expectSame('an entry of the directory', uint32(at), 0x02014b50);
    expectSame('the start of a file', uint32(at + 42), next);
    const nameLength = uint16(at + 28);
    const name = textOf(archive.subarray(at + 46, at + 46 + nameLength));
    const file = readFile(archive, next, uint32(at + 24), name);
    expectSame('the checksum in the directory', uint32(at + 16), checksumOf(file.bytes));
    expectSame('the stored size', uint32(at + 20), file.bytes.length);
    entries.push({ name, bytes: file.bytes });
    next = file.end;
    at += 46 + nameLength + uint16(at + 30) + uint16(at + 32);
  }
  expectSame('the end of the last file', next, start);
  expectSame('the number of files', entries.length, count);
  return entries;
}

/** Reads a file with its local header and its data descriptor. */
function readFile(archive: Uint8Array, at: number, size: number, name: string): { bytes: Uint8Array; end: number } {
  const { uint16, uint32 } = readerOf(archive);
  expectSame('a local header', uint32(at), 0x04034b50);
  expectSame('the flags: sizes follow the file, and names are UTF-8', uint16(at + 6), 0x0808);
  const nameEnd = at + 30 + uint16(at + 26);
  expectSame('a name in a local header', textOf(archive.subarray(at + 30, nameEnd)), name);
  const from = nameEnd + uint16(at + 28);
  const to = from + size;
  const bytes = archive.subarray(from, to);
  expectSame('a data descriptor', uint32(to), 0x08074b50);
  expectSame('a checksum', uint32(to + 4), checksumOf(bytes));
  expectSame('a size', uint32(to + 12), size);
  return { bytes, end: to + 16 };
}

/** Reads numbers, whose lowest byte is first. */
function readerOf({ buffer, byteOffset, byteLength }: Uint8Array) {
  const view = new DataView(buffer, byteOffset, byteLength);
  return {
    uint16: (at: number) => view.getUint16(at, true),
    uint32: (at: number) => view.getUint32(at, true),
  };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Returns the CRC-32 of bytes (ISO 3309), bit by bit. */
function checksumOf(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return ~crc >>> 0;
}

function expectSame(what: string, actual: number | string, expected: number | string): void {
  if (actual !== expected) throw new Error(`${what} is ${actual}, not ${expected}`);
}
