import { nonMediaKind } from '../../parsing/content-sniffing.ts';
import type { TransformingWriter } from './decrypting-writer.ts';
import type { ByteWriter } from './file-writer.ts';

/** How pictures begin: PNG, JPEG and GIF. */
const pictures = ['\x89PNG', '\xff\xd8\xff', 'GIF8'];
/** Number of bytes that show whether a segment begins like a picture or a web page. */
const magicBytes = 16;

/** Size of an MPEG-TS packet in bytes, and its first byte (ISO/IEC 13818-1 §2.4.3.2). */
const [packetBytes, syncByte] = [188, 0x47];
/** Number of packets in a row that count as MPEG-TS. */
const minPackets = 4;
/** Maximum number of bytes before the first packet. */
const maxPrefixBytes = 64 * 1024;

/**
 * Leaves out the picture or the web page at the start of an MPEG-TS segment, as which some sites disguise segments from
 * the stores that host them. Other segments are passed on unchanged. Positions start at 0.
 *
 * @param onStart - called with the size of the picture or page, before the first byte is passed on.
 */
export function createUndisguisingWriter(
  writer: ByteWriter,
  onStart: (prefixBytes: number) => void,
): TransformingWriter {
  let held = Buffer.alloc(0);
  let prefix: number | undefined;
  let next = 0;

  const begin = (prefixBytes: number) => {
    prefix = prefixBytes;
    onStart(prefixBytes);
    const start = held.subarray(prefixBytes);
    held = Buffer.alloc(0);
    return start.length === 0 ? undefined : writer.write(0, start);
  };
  return {
    get size() {
      return next - (prefix ?? 0);
    },
    write(position, chunk) {
      if (position !== next) {
        if (position !== 0) throw new Error('a segment must arrive in order');
        [held, prefix] = [Buffer.alloc(0), undefined];
      }
      next = position + chunk.length;
      if (prefix !== undefined) return writer.write(position - prefix, chunk);
      held = Buffer.concat([held, chunk]);
      const prefixBytes = disguiseBytes(held, false);
      return prefixBytes === undefined ? undefined : begin(prefixBytes);
    },
    flush: () => writer.flush(),
    async finish() {
      if (prefix === undefined) await begin(disguiseBytes(held, true) ?? 0);
      return await writer.finish();
    },
  };
}

/**
 * Returns the number of bytes before the first MPEG-TS packet of a disguised segment, and 0 for other segments.
 *
 * @param isWhole - whether `head` is the whole segment.
 * @returns undefined if more bytes are needed.
 */
export function disguiseBytes(head: Buffer, isWhole: boolean): number | undefined {
  if (head.length < magicBytes && !isWhole) return undefined;
  const isPicture = pictures.some((magic) => head.toString('latin1', 0, magic.length) === magic);
  if (!isPicture && nonMediaKind(head) !== 'a web page') return 0;
  for (let at = head.indexOf(syncByte); at >= 0 && at <= maxPrefixBytes; at = head.indexOf(syncByte, at + 1)) {
    const isStart = beginsPackets(head.subarray(at), isWhole);
    if (isStart === undefined) return undefined;
    if (isStart) return at;
  }
  return isWhole || head.length > maxPrefixBytes ? 0 : undefined;
}

/** Whether bytes that begin with a sync byte are packets; undefined if more of them are needed. */
function beginsPackets(bytes: Buffer, isWhole: boolean): boolean | undefined {
  for (let packet = 1; packet < minPackets; packet += 1) {
    const at = packet * packetBytes;
    if (at >= bytes.length) return isWhole ? at === bytes.length : undefined;
    if (bytes[at] !== syncByte) return false;
  }
  return true;
}
