import { type ChildElement, childElements, ebmlIds, uintOf } from '../binary/ebml.ts';
import { element } from '../chapters/matroska-writer.ts';

/** Elements of RFC 9559 §5.1. */
const { segment, info, tracks, entry, trackNumber, trackType, codec, setup, cluster, timestamp, simpleBlock } = {
  segment: 0x18538067,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  entry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  setup: 0x63a2,
  cluster: ebmlIds.cluster,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

/**
 * Converts a Matroska file with H.264 to the mode for Video for Windows codecs, which programs write if they take
 * frames from AVI files. The codec is in a BITMAPINFOHEADER, and times are in decoding order.
 */
export function toVideoForWindows(file: Buffer): Buffer {
  const [head, whole] = childElements(file);
  if (head === undefined || whole?.id !== segment) throw new Error('it is not a Matroska file');
  const parts = childElements(whole.body);
  const number = videoNumber(parts);
  const times = shownTimes(parts, number).toSorted((a, b) => a - b);
  const changedParts = parts.flatMap((part) => {
    if (part.id === info) return [element(info, part.body)];
    // Only the entries are kept: a checksum of the tracks would be wrong.
    if (part.id === tracks) return [element(tracks, ...childElements(part.body).filter(isEntry).map(changeTrack))];
    return part.id === cluster ? [changeCluster(part, number, times)] : [];
  });
  return Buffer.concat([element(head.id, head.body), element(segment, ...changedParts)]);
}

function isVideo(parts: readonly ChildElement[]): boolean {
  return uintOf(parts, trackType, 0) === 1;
}

function videoNumber(parts: readonly ChildElement[]): number {
  const inside = parts.filter(({ id }) => id === tracks).flatMap(({ body }) => childElements(body));
  const entries = inside.filter(isEntry);
  const video = entries.map(({ body }) => childElements(body)).find(isVideo);
  return video === undefined ? 0 : uintOf(video, trackNumber, 0);
}

function isEntry({ id }: ChildElement): boolean {
  return id === entry;
}

function changeTrack({ body }: ChildElement): Buffer {
  const parts = childElements(body);
  if (!isVideo(parts)) return element(entry, body);
  return element(
    entry,
    ...parts.map((part) => {
      if (part.id === codec) return element(codec, Buffer.from('V_MS/VFW/FOURCC'));
      return element(
        part.id,
        part.id === setup ? Buffer.concat([bitmapHeader(part.body.length), part.body]) : part.body,
      );
    }),
  );
}

/** Returns a BITMAPINFOHEADER followed by the decoder setup. */
function bitmapHeader(setupBytes: number): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40 + setupBytes, 0);
  header.writeInt32LE(160, 4);
  header.writeInt32LE(90, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(24, 14);
  header.write('H264', 16, 'latin1');
  return header;
}

/**
 * Returns whether a block belongs to a track. A block begins with the track number in one byte, followed by its time
 * relative to that of the cluster.
 */
function isBlockOf(number: number) {
  return ({ id, body }: ChildElement) => id === simpleBlock && body[0] === (0x80 | number);
}

function shownTimes(parts: readonly ChildElement[], number: number): number[] {
  return parts
    .filter(({ id }) => id === cluster)
    .flatMap(({ body }) => {
      const inside = childElements(body);
      const start = uintOf(inside, timestamp, 0);
      return inside.filter(isBlockOf(number)).map((block) => start + block.body.readInt16BE(1));
    });
}

/** Gives the blocks of a track the next times of the list, which are removed from it. */
function changeCluster({ body }: ChildElement, number: number, times: number[]): Buffer {
  const inside = childElements(body);
  const start = uintOf(inside, timestamp, 0);
  const isVideoBlock = isBlockOf(number);
  return element(
    cluster,
    ...inside.map((part) => {
      if (!isVideoBlock(part)) return element(part.id, part.body);
      const block = Buffer.from(part.body);
      block.writeInt16BE((times.shift() ?? 0) - start, 1);
      return element(simpleBlock, block);
    }),
  );
}
