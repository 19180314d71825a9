import { fullBox, latin1, TableWriter, u16, u32 } from './box-writer.ts';
import type { SampleList } from './sample-list.ts';
import type { Track } from './track-reader.ts';

/** Where the chunks of a track are, and how many samples each has. */
export interface ChunkTable {
  readonly offsets: readonly number[];
  readonly counts: readonly number[];
}

/**
 * The boxes of a sample table (ISO/IEC 14496-12 §8.5 to §8.7), each value told once for a run of equal ones.
 *
 * @param lead - ticks that are added between decoding and showing of each sample.
 * @param longOffsets - whether chunks may be beyond 4 GiB.
 */
export function sampleTableBoxes(
  track: Track,
  samples: SampleList,
  chunks: ChunkTable,
  lead: number,
  longOffsets: boolean,
): Buffer[] {
  return [
    track.description,
    fullBox('stts', 0, 0, ...runs(samples.durations, samples.count, 0)),
    ...compositionOffsetBoxes(samples, lead),
    ...syncSamples(samples),
    ...preRoll(track, samples),
    chunkSizes(chunks.counts),
    sampleSizes(samples),
    chunkOffsets(chunks.offsets, longOffsets),
  ];
}

/** Run lengths and values, with their number before them. */
function runs(values: Uint32Array | Int32Array, count: number, increment: number): Buffer[] {
  const table = new TableWriter();
  for (let at = 0; at < count; ) {
    const begin = at;
    const value = values[at] ?? 0;
    while (at < count && values[at] === value) at += 1;
    table.add(at - begin);
    table.add(value + increment);
  }
  return [u32(table.count / 2), table.bytes()];
}

function compositionOffsetBoxes({ compositions: offsets, count }: SampleList, lead: number): Buffer[] {
  const all = offsets.subarray(0, count);
  return lead === 0 && all.every((offset) => offset === 0)
    ? []
    : [fullBox('ctts', 0, 0, ...runs(offsets, count, lead))];
}

/** Without the table, all samples are sync samples. */
function syncSamples({ sync, count }: SampleList): Buffer[] {
  const table = new TableWriter();
  for (let at = 0; at < count; at += 1) if (sync[at] === 1) table.add(at + 1);
  return table.count === count ? [] : [fullBox('stss', 0, 0, u32(table.count), table.bytes())];
}

/** Samples of 48 kHz, the only rate that Opus counts in, that its decoder takes to get going (RFC 7845 §4.6). */
const opusPreRoll = 3840;

/**
 * Tells how many samples before the wanted one a decoder of sound has to be fed. ISO/IEC 14496-12 §10.1 has this as a
 * group that all samples are in; Opus in MP4 demands it, and for AAC it is what other writers say.
 */
function preRoll({ codec }: Track, { durations, count }: SampleList): Buffer[] {
  const distance =
    codec === 'aac' ? 1 : codec === 'opus' ? Math.ceil(opusPreRoll / Math.max(120, durations[0] ?? 0)) : 0;
  if (distance === 0) return [];
  return [
    fullBox('sgpd', 1, 0, latin1('roll'), u32(2, 1), u16(0x1_0000 - distance)),
    fullBox('sbgp', 0, 0, latin1('roll'), u32(1, count, 1)),
  ];
}

function chunkSizes(counts: readonly number[]): Buffer {
  const table = new TableWriter();
  let last = 0;
  counts.forEach((count, at) => {
    if (count === last) return;
    last = count;
    for (const value of [at + 1, count, 1]) table.add(value);
  });
  return fullBox('stsc', 0, 0, u32(table.count / 3), table.bytes());
}

function sampleSizes({ sizes, count }: SampleList): Buffer {
  const all = sizes.subarray(0, count);
  const [first = 0] = all;
  if (all.every((size) => size === first)) return fullBox('stsz', 0, 0, u32(first, count));
  const table = Buffer.allocUnsafe(4 * count);
  for (let at = 0; at < count; at += 1) table.writeUInt32BE(sizes[at] ?? 0, 4 * at);
  return fullBox('stsz', 0, 0, u32(0, count), table);
}

function chunkOffsets(offsets: readonly number[], longOffsets: boolean): Buffer {
  const table = new TableWriter();
  for (const offset of offsets) {
    if (longOffsets) table.addLong(offset);
    else table.add(offset);
  }
  return fullBox(longOffsets ? 'co64' : 'stco', 0, 0, u32(offsets.length), table.bytes());
}
