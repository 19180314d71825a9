import type { OutputNote } from '../../../../contract/output-notes.ts';
import type { ByteSource } from '../../binary/byte-source.ts';
import { FastPathDeclined, withInputNumber } from '../../binary/fast-path-declined.ts';
import type { ProcessReport } from '../../tasks/report.ts';
import { additionsInIndex } from '../additions/additions-in-index.ts';
import { readTopBoxes, requireKnownBoxes } from '../box-reader.ts';
import { freeBox } from '../box-writer.ts';
import { chunkTableOf } from '../chunk-table.ts';
import type { Layout } from '../layout.ts';
import { SampleReader } from '../movie-reader.ts';
import { fileTypeBox, maxUint32, mediaDataHeader, movieBox } from '../movie-writer.ts';
import { buildReport } from '../plan-tracks.ts';
import { declaredDurationsOf, namedFile, refuseShortDuration } from '../refuse-incomplete.ts';
import { placeTracks, presentationEnd, type SourceTrack } from '../track-timing.ts';
import type { Placement } from './place-fragments.ts';
import { refuseDamagedFragments } from './refuse-damaged-fragments.ts';

const fragmentBoxes = new Set(['styp', 'moof', 'mdat', 'free', 'skip', 'emsg', 'prft', 'sidx', 'ssix']);

/** Bytes to write into the result. */
export interface PendingWrite {
  readonly position: number;
  readonly bytes: Buffer;
}

/**
 * Completes a result whose fragments have all arrived. Reads the index of every fragment at its new offset and builds
 * the index of the result, which goes into the space reserved at the beginning. If that space is too small, the index
 * goes after the media.
 *
 * @param source - the result, with every range of the placement at its destination.
 * @returns The remaining writes and the report of the result, or the reason why the result cannot be completed. In that
 * case nothing is lost: {@link inputLayout} locates the inputs.
 * @throws MillraceError `input_incomplete` if the fragments are shorter than the index declares; `input_unreadable` if a
 * sample is damaged.
 */
export function finishPlacement(
  placement: Placement,
  source: ByteSource,
): { readonly writes: readonly PendingWrite[]; readonly report: ProcessReport } | { readonly declined: string } {
  try {
    return completePlacement(placement, source);
  } catch (error) {
    if (error instanceof FastPathDeclined) return { declined: error.message };
    throw error;
  }
}

/**
 * Returns the layout from which an input is reassembled: its head, and its fragments, which are copied from the result.
 */
export function inputLayout({ inputs, ranges }: Placement, input: number): Layout {
  const head = inputs[input]?.head ?? Buffer.alloc(0);
  const runs = ranges
    .filter((range) => range.input === input)
    .map(({ from, to, destination }) => ({ input: 0, offset: destination, length: to - from + 1 }));
  const mediaBytes = runs.reduce((sum, { length }) => sum + length, 0);
  return { head, mediaBytes, bytes: head.length + mediaBytes, runs: () => runs };
}

function completePlacement(placement: Placement, source: ByteSource) {
  const { container, inputs, reservedBytes, notes } = placement;
  const tracks = readTracks(placement, source);
  const timings = placeTracks(tracks);
  tracks.forEach(({ input }, at) => {
    const [from, timing] = [inputs[input], timings[at]];
    if (from === undefined || timing === undefined) return;
    const declaredDurations = declaredDurationsOf({ ...from.movie, index: from.index });
    withInputNumber(input, () => refuseShortDuration(namedFile(input, true), [timing], declaredDurations, false));
  });
  refuseDamagedFragments(tracks, timings, source);
  const results = tracks.flatMap((track, at) => {
    const timing = timings[at];
    return timing === undefined ? [] : [{ source: track, timing, chunks: chunkTableOf(track.samples) }];
  });
  const type = fileTypeBox(
    container,
    tracks.map(({ track }) => track.codec),
  );
  const additions = additionsInIndex(placement.additions, presentationEnd(timings));
  const { titles } = additions;
  const plainIndex = movieBox(results, placement.bytes > maxUint32);
  const index = additions.addTo(plainIndex, type.length);
  const mediaHeader = mediaDataHeader(placement.bytes - reservedBytes, true);
  const indexSpace = reservedBytes - type.length - mediaHeader.length;
  const spareBytes = indexSpace - index.length - titles.length;
  // A padding box has at least eight bytes.
  const fits = spareBytes === 0 || spareBytes >= 8;
  const front = fits
    ? [type, index, titles, ...(spareBytes === 0 ? [] : [freeBox(spareBytes)])]
    : [type, freeBox(indexSpace)];
  const writes: PendingWrite[] = [{ position: 0, bytes: Buffer.concat([...front, mediaHeader]) }];
  if (!fits)
    writes.push({
      position: placement.bytes,
      bytes: Buffer.concat([additions.addTo(plainIndex, placement.bytes), titles]),
    });
  const bytes = placement.bytes + (fits ? 0 : index.length + titles.length);
  return {
    writes,
    report: {
      ...buildReport(tracks, timings, bytes, fits ? notes : [...notes, indexAtEnd], placement.inputs.keys().toArray()),
      ...additions.reported,
    },
  };
}

function readTracks({ inputs, ranges, order, bytes }: Placement, source: ByteSource): SourceTrack[] {
  const readers = inputs.map(({ movie }) => new SampleReader(movie, movie.tracks, bytes));
  for (const { input, from, to, destination } of ranges) {
    const place = { positionShift: destination - from, from: destination, to: destination + to - from + 1 };
    withInputNumber(input, () => {
      const boxes = readTopBoxes(source, place.from, place.to);
      requireKnownBoxes(boxes, fragmentBoxes, 'among its fragments');
      for (const one of boxes) if (one.type === 'moof') readers[input]?.addFragment(source, one, place);
    });
  }
  return order.map((input) => {
    const track = inputs[input]?.movie.tracks[0];
    const reader = readers[input];
    if (track === undefined || reader === undefined) throw new Error(`there is no input ${input}`);
    return { input, track, samples: withInputNumber(input, () => reader.finish(track, bytes)) };
  });
}

const indexAtEnd: OutputNote = {
  code: 'index_at_end',
  message: 'The index is at the end of the file, so players must read the end first.',
};
