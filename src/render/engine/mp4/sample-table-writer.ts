import { inBlocks, runSteps, type Steps } from '../../../waiting/steps.ts';
import { fullBox, latin1, TableWriter, u16, u32 } from './box-writer.ts';
import type { SampleList } from './sample-list.ts';
import type { Track } from './track-reader.ts';

/** The offsets of the chunks of a track, and the number of samples in each. */
export interface ChunkTable {
  readonly offsets: readonly number[];
  readonly counts: readonly number[];
}

/** Content of a sample table. */
interface SampleTable {
  readonly track: Pick<Track, 'codec' | 'description'>;
  readonly samples: SampleList;
  readonly chunks: ChunkTable;
  /** Ticks added between decoding and presentation of each sample. */
  readonly lead: number;
  /** Whether chunks may be beyond 4 GiB. */
  readonly longOffsets: boolean;
}

/**
 * Builds the boxes of a sample table (ISO/IEC 14496-12 §8.5 to §8.7), with runs of equal values stored once. The last
 * one contains the offsets of the chunks.
 */
export function sampleTableBoxes(table: SampleTable): Buffer[] {
  return runSteps(sampleTableBoxSteps(table));
}

/** Builds the same boxes as {@link sampleTableBoxes}, in steps. */
export function* sampleTableBoxSteps({ track, samples, chunks, lead, longOffsets }: SampleTable): Steps<Buffer[]> {
  return [
    track.description,
    fullBox('stts', 0, 0, ...(yield* runs(samples.durations, samples.count, 0))),
    ...(yield* compositionOffsetBoxes(samples, lead)),
    ...(yield* syncSamples(samples)),
    ...preRoll(track, samples),
    yield* chunkSizes(chunks.counts),
    yield* sampleSizes(samples),
    yield* chunkOffsetBox(chunks.offsets, longOffsets),
  ];
}

/** Encodes run lengths and values, preceded by their count. */
function* runs(values: Uint32Array | Int32Array, count: number, increment: number): Steps<Buffer[]> {
  const table = new TableWriter();
  let [begin, value] = [0, values[0] ?? 0];
  const endRun = (end: number) => {
    table.add(end - begin);
    table.add(value + increment);
  };
  yield* inBlocks(count, (from, end) => {
    for (let at = from; at < end; at += 1) {
      const next = values[at] ?? 0;
      if (next === value) continue;
      endRun(at);
      [begin, value] = [at, next];
    }
  });
  if (count > 0) endRun(count);
  return [u32(table.count / 2), table.bytes()];
}

function* compositionOffsetBoxes({ compositions: offsets, count }: SampleList, lead: number): Steps<Buffer[]> {
  const all = offsets.subarray(0, count);
  return lead === 0 && all.every((offset) => offset === 0)
    ? []
    : [fullBox('ctts', 0, 0, ...(yield* runs(offsets, count, lead)))];
}

/** Builds the table of sync samples. It is omitted if all samples are sync samples. */
function* syncSamples({ sync, count }: SampleList): Steps<Buffer[]> {
  const table = new TableWriter();
  yield* inBlocks(count, (from, end) => {
    for (let at = from; at < end; at += 1) if (sync[at] === 1) table.add(at + 1);
  });
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

function* chunkSizes(counts: readonly number[]): Steps<Buffer> {
  const table = new TableWriter();
  let last = 0;
  yield* inBlocks(counts.length, (from, end) => {
    for (let at = from; at < end; at += 1) {
      const count = counts[at] ?? 0;
      if (count === last) continue;
      last = count;
      table.add(at + 1);
      table.add(count);
      table.add(1);
    }
  });
  return fullBox('stsc', 0, 0, u32(table.count / 3), table.bytes());
}

function* sampleSizes({ sizes, count }: SampleList): Steps<Buffer> {
  const all = sizes.subarray(0, count);
  const [first = 0] = all;
  if (all.every((size) => size === first)) return fullBox('stsz', 0, 0, u32(first, count));
  const table = Buffer.allocUnsafe(4 * count);
  yield* inBlocks(count, (from, end) => {
    for (let at = from; at < end; at += 1) table.writeUInt32BE(sizes[at] ?? 0, 4 * at);
  });
  return fullBox('stsz', 0, 0, u32(0, count), table);
}

/**
 * Builds the box that lists the offsets of chunks, in steps. Its size depends only on their number.
 *
 * @param base - added to the offsets.
 */
export function* chunkOffsetBox(offsets: readonly number[], longOffsets: boolean, base = 0): Steps<Buffer> {
  const table = new TableWriter();
  yield* inBlocks(offsets.length, (from, end) => {
    for (let at = from; at < end; at += 1) {
      const offset = base + (offsets[at] ?? 0);
      if (longOffsets) table.addLong(offset);
      else table.add(offset);
    }
  });
  return fullBox(longOffsets ? 'co64' : 'stco', 0, 0, u32(offsets.length), table.bytes());
}
