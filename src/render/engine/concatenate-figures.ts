import { type StreamFigures, sharedClock } from './figures.ts';
import { longestGaps } from './longest-gaps.ts';

/** The figures of a file's streams; absent for streams without packets. */
export type FileStreams = readonly (StreamFigures | undefined)[];

/** Files of an input that play at the same time, such as separate video and audio. */
export interface FiguresPart {
  readonly files: readonly FileStreams[];
  /** Whether the clock may continue: the source signals no discontinuity. */
  readonly continues: boolean;
}

/** Seconds by which a part may overlap those before it, or pause after them, and still continue their clock. */
const overlap = 0.1;
const pause = 10;

/**
 * The figures of files whose parts play one after the other: each part begins where all files of those before it have
 * ended. Streams that a part lacks are silent there.
 *
 * @returns The figures of each file, on the clock of its first part.
 */
export function concatenateFigures(parts: readonly FiguresPart[]): FileStreams[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  if (others.length === 0) return [...first.files];
  if (!shareClock(first.files)) {
    return first.files.flatMap((_, at) => {
      return concatenateFigures(parts.map(({ files, continues }) => ({ files: [files[at] ?? []], continues })));
    });
  }
  let shift = 0;
  return others.reduce<FileStreams[]>(
    (before, { files, continues }) => {
      const ends = before.flat().flatMap((figures) => figures?.end ?? []);
      const shared = shareClock(files);
      const begin = Math.min(...files.map(firstOf)) + shift;
      const goesOn = begin + overlap >= Math.min(...ends) && begin <= Math.max(...ends) + pause;
      const end = continues && shared && goesOn ? begin : Math.max(...ends);
      shift = end - Math.min(...files.map(firstOf));
      return before.map((streams, file) => {
        const after = files[file] ?? [];
        const by = shared ? shift : end - firstOf(after);
        return streams.map((figures, at) => joined(figures, moved(after[at], by)));
      });
    },
    [...first.files],
  );
}

/** When a file begins; infinity for one without packets. */
function firstOf(streams: FileStreams): number {
  return Math.min(...streams.map((figures) => figures?.first ?? Number.POSITIVE_INFINITY));
}

function shareClock(files: readonly FileStreams[]): boolean {
  const firsts = files.map(firstOf).filter(Number.isFinite);
  return Math.max(...firsts) - Math.min(...firsts) < sharedClock || firsts.length < 2;
}

function moved(figures: StreamFigures | undefined, by: number): StreamFigures | undefined {
  if (figures === undefined) return undefined;
  const { first, last, end, gaps } = figures;
  const ends = { ...figures, first: first + by, last: last + by, end: end + by };
  return gaps === undefined ? ends : { ...ends, gaps: gaps.map(({ seconds, at }) => ({ seconds, at: at + by })) };
}

function joined(before: StreamFigures | undefined, after: StreamFigures | undefined): StreamFigures | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  const between = { seconds: after.first - before.last, at: before.last };
  const cutOff = (before.cutOff ?? 0) + (after.cutOff ?? 0);
  const hidden = (before.hidden ?? 0) + (after.hidden ?? 0);
  return {
    first: before.first,
    last: after.last,
    end: after.end,
    packets: (before.packets ?? 0) + (after.packets ?? 0),
    gaps: longestGaps(before.gaps ?? [], [between], after.gaps ?? []),
    jumps: before.jumps + after.jumps,
    ...(cutOff === 0 ? {} : { cutOff }),
    ...(hidden === 0 ? {} : { hidden }),
  };
}
