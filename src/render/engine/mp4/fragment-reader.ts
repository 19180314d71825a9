import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, requiredBox, requireKnownBoxes } from './box-reader.ts';
import type { SampleList } from './sample-list.ts';

/** Default values of the samples in a track's fragments (the `trex` box). */
export interface FragmentDefaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

/** A track whose fragments are read. */
export interface FragmentedTrack {
  readonly defaults: FragmentDefaults;
  /** Whether every sample can be decoded independently, as in audio. */
  readonly allSync: boolean;
  /** Ticks per second. */
  readonly timescale: number;
  /** List that receives the samples. */
  readonly samples: SampleList;
}

/** Maximum difference between the clock of a fragment and the total duration of the preceding fragments, in seconds. */
const maxDrift = 1;

/** "Not a sync sample" and "depends on others": decoding cannot begin at a sample with either flag. */
const notSync = 0x0101_0000;

const movieBoxes = new Set(['mfhd', 'traf', 'free', 'skip']);
const trackBoxes = new Set(['tfhd', 'tfdt', 'trun', 'sdtp', 'sgpd', 'sbgp', 'free', 'skip']);

/** Reads the defaults of all tracks from the `mvex` box, by track ID. */
export function readDefaults(mvexBoxes: readonly Box[]): Map<number, FragmentDefaults> {
  const defaults = new Map<number, FragmentDefaults>();
  for (const { body } of mvexBoxes.filter(({ type }) => type === 'trex')) {
    const fields = new FieldReader(body);
    fields.versionAndFlags();
    const id = fields.u32();
    if (fields.u32() !== 1) decline('its fragments have other sample descriptions');
    defaults.set(id, { duration: fields.u32(), size: fields.u32(), flags: fields.u32() });
  }
  return defaults;
}

/** Location of a fragment. */
export interface FragmentPlace {
  /** Offset of its `moof` box. */
  readonly offset: number;
  /** Correction to add to absolute offsets in the fragment. */
  readonly positionShift: number;
  /** Offsets between which its media must be; the second one is exclusive. */
  readonly from: number;
  readonly to: number;
}

/**
 * Adds the samples of a fragment to their tracks (ISO/IEC 14496-12 §8.8). Other tracks are skipped.
 *
 * @param body - body of its `moof` box.
 * @throws FastPathDeclined if it is of an unusual kind, or does not continue where the previous fragments ended.
 */
export function readFragment(body: Buffer, place: FragmentPlace, tracks: ReadonlyMap<number, FragmentedTrack>): void {
  const boxes = childBoxes(body);
  requireKnownBoxes(boxes, movieBoxes, 'in a fragment');
  const parts = boxes.filter(({ type }) => type === 'traf');
  parts.forEach((part, at) => {
    readTrackFragment(childBoxes(part.body), place, at === 0, tracks);
  });
}

function readTrackFragment(
  boxes: readonly Box[],
  place: FragmentPlace,
  first: boolean,
  tracks: ReadonlyMap<number, FragmentedTrack>,
): void {
  requireKnownBoxes(boxes, trackBoxes, 'in a track’s fragment');
  const header = new FieldReader(requiredBox(boxes, 'tfhd'));
  const { flags } = header.versionAndFlags();
  const track = tracks.get(header.u32());
  if (track === undefined) return;
  const base = (flags & 1) === 0 ? place.offset : header.u64() + place.positionShift;
  // Without its own base, the data of a second track follows that of the first. Hardly any writer produces such files.
  if (!first && (flags & 0x2_0001) === 0) decline('its fragments do not declare where their media is');
  if ((flags & 2) !== 0 && header.u32() !== 1) decline('its fragments have other sample descriptions');
  const defaults = {
    duration: (flags & 8) === 0 ? track.defaults.duration : header.u32(),
    size: (flags & 0x10) === 0 ? track.defaults.size : header.u32(),
    flags: (flags & 0x20) === 0 ? track.defaults.flags : header.u32(),
  };
  alignClock(optionalBox(boxes, 'tfdt'), track);
  let position = base;
  for (const { body } of boxes.filter(({ type }) => type === 'trun')) {
    position = readRun(body, base, position, defaults, track, place);
  }
}

/** Begins a fragment at its declared decoding time. Small gaps lengthen the previous sample. */
function alignClock(body: Buffer | undefined, { samples, timescale }: FragmentedTrack): void {
  if (body === undefined) return;
  const fields = new FieldReader(body);
  const time = fields.versionAndFlags().version === 0 ? fields.u32() : fields.u64();
  if (samples.count === 0) {
    samples.start = time;
    return;
  }
  const end = samples.start + samples.ticks;
  const last = samples.durations[samples.count - 1] ?? 0;
  if (time === end) return;
  if (time <= end - last || Math.abs(time - end) > maxDrift * timescale)
    decline('its fragments are not contiguous in time');
  samples.endAt(time);
}

/** Adds the samples of a `trun` box and returns the offset after the last one. */
function readRun(
  body: Buffer,
  base: number,
  previousEnd: number,
  defaults: FragmentDefaults,
  { samples, allSync }: FragmentedTrack,
  { from, to }: FragmentPlace,
): number {
  const fields = new FieldReader(body);
  const { flags } = fields.versionAndFlags();
  const count = fields.u32();
  let position = (flags & 1) === 0 ? previousEnd : base + fields.i32();
  const firstFlags = (flags & 4) === 0 ? undefined : fields.u32();
  const width = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length;
  const table = new FieldReader(fields.table(count, width));
  samples.reserve(count);
  for (let at = 0; at < count; at += 1) {
    const duration = (flags & 0x100) === 0 ? defaults.duration : table.u32();
    const size = (flags & 0x200) === 0 ? defaults.size : table.u32();
    const own = (flags & 0x400) === 0 ? defaults.flags : table.u32();
    // Version 0 defines unsigned offsets, but writers put negative values there too.
    const composition = (flags & 0x800) === 0 ? 0 : table.i32();
    if (position < from || position + size > to) decline('one of its fragments has its media elsewhere');
    const sampleFlags = at === 0 && firstFlags !== undefined ? firstFlags : own;
    samples.add(position, size, duration, composition, allSync || (sampleFlags & notSync) === 0);
    position += size;
  }
  return position;
}
