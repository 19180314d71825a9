import { fullBox, latin1, TableWriter, u16, u32 } from './box-writer.ts';
import type { SampleList } from './sample-list.ts';
import type { Track } from './track-reader.ts';

/** The offsets of the chunks of a track, and the number of samples in each. */
export interface ChunkTable {
  readonly offsets: readonly number[];
  readonly counts: readonly number[];
}

/**
 * Builds the boxes of a sample table (ISO/IEC 14496-12 §8.5 to §8.7), with runs of equal values stored once.
 *
 * @param lead - ticks added between decoding and presentation of each sample.
 * @param longOffsets - whether chunks may be beyond 4 GiB.
 */
export function sampleTableBoxes(
  track: Pick<Track, 'codec' | 'description'>,
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

/** Encodes run lengths and values, preceded by their count. */
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

/** Builds the table of sync samples. It is omitted if all samples are sync samples. */
function syncSamples({ sync, count }: SampleList): Buffer[] {
  const table = new TableWriter();
  for (let at = 0; at < count; at += 1) if (sync[at] === 1) table.add(at + 1);
  return table.count === count ? [] : [fullBox('stss', 0, 0, u32(table.count), table.bytes())];
}

/**
 * Number of 48 kHz samples that an Opus decoder needs before its output is correct (RFC 7845 §4.6). Opus always counts
 * at 48 kHz.
 */
const opusPreRoll = 3840;

/**
 * Declares how many samples before a seek target an audio decoder needs. ISO/IEC 14496-12 §10.1 stores this number as a
 * group that contains all samples. Opus in MP4 requires it, and other writers also declare it for AAC.
 */
function preRoll({ codec }: Pick<Track, 'codec'>, { durations, count }: SampleList): Buffer[] {
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
