import { inBlocks, runSteps, type Steps } from '../../../waiting/steps.ts';
import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, optionalBox, requiredBox, requireKnownBoxes } from './box-reader.ts';
import { SampleList } from './sample-list.ts';

/** Boxes of a sample table that are read, or that only help players to seek and may be dropped. */
const sampleTableBoxes = new Set([
  'stsd',
  'stts',
  'ctts',
  'stss',
  'stsc',
  'stsz',
  'stco',
  'co64',
  'sdtp',
  'sgpd',
  'sbgp',
  'cslg',
]);

/**
 * Reads the samples that a track's `stbl` box lists (ISO/IEC 14496-12 §8.6, §8.7). The head of a fragmented file lists
 * none.
 *
 * @param allSync - whether every sample can be decoded independently, as in audio.
 * @param limit - maximum number of samples.
 * @throws FastPathDeclined if its tables contradict each other.
 */
export function readSampleTable(table: readonly Box[], allSync: boolean, limit: number): SampleList {
  return runSteps(sampleTableSteps(table, allSync, limit));
}

/** Reads a sample table like {@link readSampleTable}, in steps. */
export function* sampleTableSteps(table: readonly Box[], allSync: boolean, limit: number): Steps<SampleList> {
  requireKnownBoxes(table, sampleTableBoxes, 'among its sample tables');
  const samples = new SampleList(limit);
  const sizes = readSizes(requiredBox(table, 'stsz'));
  if (sizes.count === 0) return samples;
  samples.reserve(sizes.count);
  samples.count = sizes.count;
  yield* inBlocks(sizes.count, (from, end) => {
    for (let at = from; at < end; at += 1) samples.sizes[at] = sizes.of(at);
  });
  samples.ticks = yield* readRuns(requiredBox(table, 'stts'), sizes.count, (value, from, end) => {
    if (value < 0) decline('one of its samples lasts too long');
    for (let at = from; at < end; at += 1) samples.durations[at] = value;
  });
  const compositions = optionalBox(table, 'ctts');
  if (compositions !== undefined) {
    // Version 0 defines unsigned offsets, but writers put negative values there too.
    yield* readRuns(compositions, sizes.count, (value, from, end) => {
      for (let at = from; at < end; at += 1) samples.compositions[at] = value;
    });
  }
  yield* readSyncSamples(optionalBox(table, 'stss'), samples, allSync);
  yield* readSampleOffsets(table, samples);
  return samples;
}

/**
 * Returns whether a track's `stbl` box lists any samples.
 *
 * @throws FastPathDeclined
 */
export function hasSamples(table: readonly Box[]): boolean {
  requireKnownBoxes(table, sampleTableBoxes, 'among its sample tables');
  return readSizes(requiredBox(table, 'stsz')).count > 0;
}

function readSizes(body: Buffer): { readonly count: number; of(at: number): number } {
  const fields = new FieldReader(body);
  fields.versionAndFlags();
  const [common, count] = [fields.u32(), fields.u32()];
  if (common > 0) return { count, of: () => common };
  const table = fields.table(count, 4);
  return { count, of: (at) => table.readUInt32BE(4 * at) };
}

/** Reads a table of run lengths and values, which must cover all samples. Returns the sum of the values. */
function* readRuns(
  body: Buffer,
  samples: number,
  set: (value: number, from: number, end: number) => void,
): Steps<number> {
  const fields = new FieldReader(body);
  fields.versionAndFlags();
  const entries = fields.u32();
  const table = fields.table(entries, 8);
  let [at, sum] = [0, 0];
  yield* inBlocks(entries, (from, end) => {
    for (let entry = from; entry < end; entry += 1) {
      const run = table.readUInt32BE(8 * entry);
      const value = table.readInt32BE(8 * entry + 4);
      if (run > samples - at) decline('one of its tables lists more samples than there are');
      sum += run * value;
      set(value, at, at + run);
      at += run;
    }
  });
  if (at !== samples) decline('one of its tables lists fewer samples than there are');
  return sum;
}

/** Marks the samples at which decoding can begin. Without a table, it can begin at every sample. */
function* readSyncSamples(body: Buffer | undefined, samples: SampleList, allSync: boolean): Steps<void> {
  if (body === undefined || allSync) {
    samples.sync.fill(1, 0, samples.count);
    return;
  }
  const fields = new FieldReader(body);
  fields.versionAndFlags();
  const entries = fields.u32();
  const table = fields.table(entries, 4);
  yield* inBlocks(entries, (from, end) => {
    for (let entry = from; entry < end; entry += 1) {
      const number = table.readUInt32BE(4 * entry);
      if (number === 0 || number > samples.count) decline('its table of sync samples lists samples that do not exist');
      samples.sync[number - 1] = 1;
    }
  });
}

/** Computes the offsets of the samples, chunk by chunk. */
function* readSampleOffsets(table: readonly Box[], samples: SampleList): Steps<void> {
  const [short, long] = [optionalBox(table, 'stco'), optionalBox(table, 'co64')];
  if ((short === undefined) === (long === undefined))
    decline('one of its tracks does not have exactly one list of chunks');
  const fields = new FieldReader(short ?? requiredBox(table, 'co64'));
  fields.versionAndFlags();
  const chunks = fields.u32();
  const offsets = new FieldReader(fields.table(chunks, short === undefined ? 8 : 4));
  const counts = readChunkSizes(requiredBox(table, 'stsc'), chunks);
  let at = 0;
  yield* inBlocks(chunks, (from, until) => {
    for (let chunk = from + 1; chunk <= until; chunk += 1) {
      let offset = short === undefined ? offsets.u64() : offsets.u32();
      const end = at + counts(chunk);
      if (end > samples.count) decline('its chunks hold more samples than there are');
      for (; at < end; at += 1) {
        samples.offsets[at] = offset;
        offset += samples.sizes[at] ?? 0;
      }
    }
  });
  if (at !== samples.count) decline('its chunks hold fewer samples than there are');
}

/** Returns a function that returns the number of samples of a chunk. Call it with ascending chunk numbers, from 1. */
function readChunkSizes(body: Buffer, chunks: number): (chunk: number) => number {
  const fields = new FieldReader(body);
  fields.versionAndFlags();
  const entries = fields.u32();
  const table = fields.table(entries, 12);
  let entry = -1;
  let next = 1;
  return (chunk) => {
    while (chunk === next && entry < entries - 1) {
      entry += 1;
      if (table.readUInt32BE(12 * entry + 8) !== 1) decline('one of its chunks has another sample description');
      next = entry + 1 < entries ? table.readUInt32BE(12 * (entry + 1)) : chunks + 1;
      if (next <= chunk) decline('its chunks are not in order');
    }
    if (entry < 0) decline('its chunk descriptions do not begin with the first chunk');
    return table.readUInt32BE(12 * entry + 4);
  };
}
