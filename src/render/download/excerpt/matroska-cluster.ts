import { readElement } from '../../engine/binary/ebml.ts';

/** IDs of a cluster and its elements (RFC 9559 §5.1.3). */
const ids = { cluster: 0x1f43b675, timestamp: 0xe7, simpleBlock: 0xa3, group: 0xa0, block: 0xa1 } as const;
/** Maximum number of elements that are read from a cluster. */
const maxElements = 10_000;
/** Maximum number of bytes of a timestamp. */
const maxTimestampBytes = 6;

/**
 * Returns the time at which the streams of a cluster begin: the earliest first block of a track, in seconds.
 *
 * @param bytes - the first bytes of the cluster.
 * @param scale - duration of a tick in seconds.
 * @returns undefined if they are not a cluster with a block.
 */
export function readClusterStart(bytes: Buffer, scale: number): number | undefined {
  const source = { size: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
  const cluster = readElement(source, 0);
  if (cluster?.id !== ids.cluster) return undefined;
  const end = Math.min(bytes.length, cluster.dataOffset + (cluster.size ?? bytes.length));
  const firsts = new Map<number, number>();
  let base = 0;
  let offset = cluster.dataOffset;
  for (let count = 0; count < maxElements && offset < end; count += 1) {
    const element = readElement(source, offset);
    // A cluster of unknown size ends at the next cluster.
    if (element?.size === undefined || element.id === ids.cluster) break;
    const { id, size, dataOffset } = element;
    if (id === ids.timestamp && size <= maxTimestampBytes && dataOffset + size <= bytes.length) {
      base = size === 0 ? 0 : bytes.readUIntBE(dataOffset, size);
    }
    const block = id === ids.simpleBlock ? dataOffset : id === ids.group ? firstBlock(source, dataOffset) : undefined;
    if (block !== undefined) addBlock(bytes, block, firsts);
    offset = dataOffset + size;
  }
  return firsts.size === 0 ? undefined : (base + Math.min(...firsts.values())) * scale;
}

/** Returns the offset of the block at the beginning of a group. */
function firstBlock(source: Parameters<typeof readElement>[0], offset: number): number | undefined {
  const element = readElement(source, offset);
  return element?.id === ids.block ? element.dataOffset : undefined;
}

/** Adds the time of a block, relative to its cluster, if it is the first of its track. */
function addBlock(bytes: Buffer, offset: number, firsts: Map<number, number>): void {
  const length = Math.clz32(bytes[offset] ?? 0) - 23;
  if (length > 4 || offset + length + 2 > bytes.length) return;
  const track = bytes.readUIntBE(offset, length);
  if (!firsts.has(track)) firsts.set(track, bytes.readInt16BE(offset + length));
}
