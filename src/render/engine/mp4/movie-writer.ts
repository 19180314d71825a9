import { box, fullBox, latin1, u16, u32, u64 } from './box-writer.ts';
import { type ChunkTable, sampleTableBoxes } from './sample-table-writer.ts';
import { identityMatrix, type Track } from './track-reader.ts';
import type { SourceTrack, TrackTiming } from './track-timing.ts';

/** Containers that this module can write. */
export type Mp4Container = 'mp4' | 'm4a';

/** A track of the result. */
interface ResultTrack {
  readonly source: SourceTrack;
  readonly timing: TrackTiming;
  readonly chunks: ChunkTable;
}

/** Largest 32-bit number, and therefore the last offset that a 32-bit chunk table can hold. */
export const maxUint32 = 0xffff_ffff;

/** Builds the `ftyp` box, which declares the readers that the file is compatible with. */
export function fileTypeBox(container: Mp4Container, codecs: readonly string[]): Buffer {
  if (container === 'm4a') return box('ftyp', latin1('M4A '), u32(0x200), latin1('M4A isomiso2mp41'));
  const brands = [
    'isom',
    'iso2',
    'mp41',
    ...(codecs.includes('h264') ? ['avc1'] : []),
    ...(codecs.includes('av1') ? ['av01'] : []),
  ];
  return box('ftyp', latin1('isom'), u32(0x200), latin1(brands.join('')));
}

/**
 * Builds the header of a media box with the given number of content bytes: 16 bytes if the box is large, otherwise 8.
 */
export function mediaDataHeader(bytes: number, longOffsets = bytes + 8 > maxUint32): Buffer {
  return longOffsets
    ? Buffer.concat([u32(1), latin1('mdat'), u64(bytes + 16)])
    : Buffer.concat([u32(bytes + 8), latin1('mdat')]);
}

/**
 * Builds the index of a result (its `moov` box). Its length does not depend on the chunk offsets, only on whether they
 * take 64 bits (`longOffsets`).
 */
export function movieBox(tracks: readonly ResultTrack[], longOffsets: boolean): Buffer {
  // The finest clock of the tracks, so that delays are exact.
  const scale = Math.max(1000, ...tracks.map(({ source }) => source.track.timescale));
  const length = Math.max(...tracks.map(({ timing }) => presentationTicks(timing, scale)));
  return box(
    'moov',
    headerBox(
      'mvhd',
      0,
      length,
      [scale],
      [u32(0x1_0000), u16(0x100, 0), u32(0, 0), identityMatrix, u32(0, 0, 0, 0, 0, 0), u32(tracks.length + 1)],
    ),
    ...tracks.map((track, at) => trackBox(track, at + 1, scale, longOffsets)),
  );
}

function presentationTicks({ delay, length }: TrackTiming, scale: number): number {
  return Math.round(delay * scale) + Math.round(length * scale);
}

/**
 * Builds a header with creation and modification times (left empty), some numbers, and a duration in the required
 * width.
 */
function headerBox(
  type: string,
  flags: number,
  length: number,
  before: readonly number[],
  after: readonly Buffer[],
): Buffer {
  const wide = length > maxUint32;
  return wide
    ? fullBox(type, 1, flags, u64(0, 0), u32(...before), u64(length), ...after)
    : fullBox(type, 0, flags, u32(0, 0), u32(...before), u32(length), ...after);
}

function trackBox(
  { source: { track, samples }, timing, chunks }: ResultTrack,
  id: number,
  scale: number,
  longOffsets: boolean,
): Buffer {
  const isAudio = track.kind === 'audio';
  const displayFields = [
    u32(0, 0),
    u16(0, isAudio ? 1 : 0, isAudio ? 0x100 : 0, 0),
    track.matrix,
    u32(track.width, track.height),
  ];
  return box(
    'trak',
    // The flags mean that the track is enabled and part of the presentation.
    headerBox('tkhd', 3, presentationTicks(timing, scale), [id, 0], displayFields),
    ...editListBoxes(timing, track.timescale, samples.ticks, scale),
    box(
      'mdia',
      headerBox('mdhd', 0, samples.ticks, [track.timescale], [u16(track.language, 0)]),
      ...(track.languageTag === undefined ? [] : [fullBox('elng', 0, 0, latin1(`${track.languageTag}\0`))]),
      handlerBox(track),
      box(
        'minf',
        isAudio ? fullBox('smhd', 0, 0, u16(0, 0)) : fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)),
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box('stbl', ...sampleTableBoxes({ track, samples, chunks, lead: timing.lead, longOffsets })),
      ),
    ),
  );
}

function handlerBox({ kind }: Track): Buffer {
  const [type, name] = kind === 'video' ? ['vide', 'VideoHandler'] : ['soun', 'SoundHandler'];
  return fullBox('hdlr', 0, 0, u32(0), latin1(type), u32(0, 0, 0), latin1(`${name}\0`));
}

/** Builds the edit list, unless all of the media plays from the start. */
function editListBoxes(
  { delay, mediaTime, length }: TrackTiming,
  timescale: number,
  ticks: number,
  scale: number,
): Buffer[] {
  const [wait, play] = [Math.round(delay * scale), Math.round(length * scale)];
  const all = Math.round((ticks / timescale) * scale);
  if (wait === 0 && mediaTime === 0 && Math.abs(all - play) <= 1) return [];
  const wide = Math.max(wait, play, mediaTime) > 0x7fff_ffff;
  const entry = (duration: number, from: number) => {
    const start = from < 0 ? Buffer.alloc(wide ? 8 : 4, 0xff) : wide ? u64(from) : u32(from);
    return Buffer.concat([wide ? u64(duration) : u32(duration), start, u32(0x1_0000)]);
  };
  const entries = [...(wait > 0 ? [entry(wait, -1)] : []), entry(play, mediaTime)];
  return [box('edts', fullBox('elst', wide ? 1 : 0, 0, u32(entries.length), ...entries))];
}
