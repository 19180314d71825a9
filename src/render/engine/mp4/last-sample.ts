import type { ByteSource } from '../binary/byte-source.ts';
import { decline, FastPathDeclined } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, readBoxBody, requiredBox, type TopBox } from './box-reader.ts';
import { type FragmentedTrack, readDefaults, readFragment } from './fragment-reader.ts';
import { maxFragmentBytes, maxMovieBytes } from './movie-reader.ts';
import { maxSamples, SampleList } from './sample-list.ts';
import { readTrackId } from './track-reader.ts';

/**
 * Returns the offset after the last sample in the index (`moov`) of an MP4 file. Undefined if the index does not list
 * all samples, as in a fragmented file, or cannot be read.
 */
export function lastSampleEnd(source: ByteSource, moov: TopBox): number | undefined {
  try {
    const boxes = childBoxes(readBoxBody(source, moov, maxMovieBytes));
    if (boxes.some(({ type }) => type === 'mvex')) return undefined;
    return Math.max(0, ...boxes.filter(({ type }) => type === 'trak').map(lastSampleEndOfTrack));
  } catch (error) {
    if (error instanceof FastPathDeclined) return undefined;
    throw error;
  }
}

/**
 * Returns whether every sample that a fragment (`moof`) lists is in the file.
 *
 * @param moov - index of the file, with the defaults of its fragments.
 * @returns Also false if the fragment cannot be read.
 */
export function containsFragment(source: ByteSource, moov: TopBox, moof: TopBox): boolean {
  try {
    const boxes = childBoxes(readBoxBody(source, moov, maxMovieBytes));
    const defaults = readDefaults(childBoxes(requiredBox(boxes, 'mvex')));
    const tracks = boxes
      .filter(({ type }) => type === 'trak')
      .map(({ body }): [number, FragmentedTrack] => {
        const id = readTrackId(requiredBox(childBoxes(body), 'tkhd'));
        const common = defaults.get(id) ?? decline('its fragments have no defaults');
        return [id, { defaults: common, allSync: true, timescale: 1, samples: new SampleList(maxSamples) }];
      });
    const place = { offset: moof.offset, positionShift: 0, from: 0, to: source.size };
    readFragment(readBoxBody(source, moof, maxFragmentBytes), place, new Map(tracks));
    return true;
  } catch (error) {
    if (error instanceof FastPathDeclined) return false;
    throw error;
  }
}

function lastSampleEndOfTrack({ body }: Box): number {
  const information = childBoxes(requiredBox(childBoxes(requiredBox(childBoxes(body), 'mdia')), 'minf'));
  const table = childBoxes(requiredBox(information, 'stbl'));
  const sizes = readSizes(requiredBox(table, 'stsz'));
  const [short, long] = [optionalBox(table, 'stco'), optionalBox(table, 'co64')];
  const fields = new FieldReader(short ?? long ?? decline('one of its tracks does not list its chunks'));
  fields.skip(4);
  const chunks = fields.u32();
  const offsets = new FieldReader(fields.table(chunks, short === undefined ? 8 : 4));
  const counts = chunkCountReader(requiredBox(table, 'stsc'));
  let [end, sample] = [0, 0];
  for (let chunk = 1; chunk <= chunks; chunk += 1) {
    const from = short === undefined ? offsets.u64() : offsets.u32();
    const next = sample + counts(chunk);
    if (next > sizes.count) decline('its chunks hold more samples than there are');
    end = Math.max(end, from + sizes.sum(sample, next));
    sample = next;
  }
  if (sample < sizes.count) decline('its chunks hold fewer samples than there are');
  return end;
}

function readSizes(body: Buffer): { readonly count: number; sum(from: number, to: number): number } {
  const fields = new FieldReader(body);
  fields.skip(4);
  const [common, count] = [fields.u32(), fields.u32()];
  // QuickTime lists uncompressed audio as single samples and stores their size elsewhere.
  if (common === 1) decline('the size of its samples is stored elsewhere');
  if (common > 0) return { count, sum: (from, to) => (to - from) * common };
  const table = fields.table(count, 4);
  return {
    count,
    sum: (from, to) => {
      let bytes = 0;
      for (let at = from; at < to; at += 1) bytes += table.readUInt32BE(4 * at);
      return bytes;
    },
  };
}

/** Returns a function that returns the number of samples of a chunk. Call it with ascending chunk numbers, from 1. */
function chunkCountReader(body: Buffer): (chunk: number) => number {
  const fields = new FieldReader(body);
  fields.skip(4);
  const entries = fields.u32();
  const table = fields.table(entries, 12);
  let entry = 0;
  return (chunk) => {
    while (entry + 1 < entries && table.readUInt32BE(12 * (entry + 1)) <= chunk) entry += 1;
    return entries === 0 ? decline('its chunks are not described') : table.readUInt32BE(12 * entry + 4);
  };
}
