import type { Rendition } from '../../hls/master.ts';
import type { Segment } from '../../hls/media.ts';
import type { ArrivedRange } from '../engine/tasks/growing-files.ts';
import type { SegmentTable } from '../engine/tasks/segment-table.ts';
import { openJournal } from './journal.ts';
import { type SegmentRun, segmentTable } from './pieces.ts';
import { type FoundPlaylist, findPlaylists } from './playlist.ts';
import { createKeyStore } from './segment-keys.ts';
import { downloadSegments } from './segments.ts';
import type { SizeAccount } from './size-account.ts';
import { memberOf, type Source } from './source.ts';

/** Hears how the files of HLS inputs arrive, so that work on them can begin before they are whole. */
export interface HlsWatch {
  /** An input's playlists have been read, and will become these files. */
  planned(input: number, files: readonly PlannedFile[]): void;
  /** So much of a file is there now. */
  grown(path: string, arrived: ArrivedRange): void;
}

/** A file with part of a playlist's media. */
export interface PlannedPart {
  readonly path: string;
  /** Seconds that the playlist declares for it. */
  readonly duration: number;
  /** The segments that it is put together from. */
  readonly segments?: SegmentTable;
  /** Discontinuities before it, by default none: the clock may continue that of a part with as many. */
  readonly section?: number;
}

/** What a playlist becomes. */
export interface PlannedFile {
  /** One file, or several in playing order if the playlist has discontinuities. */
  readonly parts: readonly PlannedPart[];
}

/** What a playlist became. */
export interface HlsFile extends PlannedFile {
  readonly bytes: number;
}

/** What an HLS input became. */
export interface HlsFiles {
  readonly files: readonly HlsFile[];
  /** Renditions of its playlist that were not fetched. */
  readonly leftOut: readonly Rendition[];
}

/** What fetching a playlist's media needs. */
export interface HlsDownload {
  readonly source: Source;
  readonly concurrency: number;
  /** Where its files go, without an ending. */
  readonly stem: string;
  /** What the playlist is, for its journal. */
  readonly subject: unknown;
  readonly account: SizeAccount;
  /** Hears the part that has arrived, 0 to 1, by playing time. */
  readonly onProgress: (fraction: number) => void;
  /** Hears what the playlists will become, as soon as they are read. */
  readonly onPlanned: (files: readonly PlannedFile[]) => void;
  /** Hears how much of a file is there from its beginning. */
  readonly onGrown: (path: string, arrived: ArrivedRange) => void;
}

/**
 * Fetches the media of an HLS playlist; sound that is in a playlist of its own is a second item, and arrives beside the
 * picture it belongs to.
 *
 * @throws MillraceError of `playlist.ts`, `segment-keys.ts` and `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadHls(download: HlsDownload): Promise<HlsFiles> {
  const { source, concurrency, stem, account, onProgress, onGrown } = download;
  const playlists = await findPlaylists(source);
  const runs: SegmentRun[] = [];
  const files = playlists.map((playlist) => {
    const own = runsOf(source, playlist, (segments, order) => pathOf(stem, runs.length + order, segments));
    runs.push(...own);
    return { parts: own.map(partOf) };
  });
  download.onPlanned(files);
  const ends = new Map<string, readonly number[]>();
  const journal = await openJournal(`${stem}.journal`, download.subject);
  const fetched = downloadSegments({
    runs,
    concurrency,
    signal: source.signal,
    onBytes: (arrived) => account.reach(arrived),
    onProgress,
    onGrown(path, arrived) {
      ends.set(path, arrived.ends ?? []);
      onGrown(path, arrived);
    },
    journal,
  });
  const sizes = await fetched.finally(journal.close);
  let next = 0;
  const fetchedFiles = files.map(({ parts }) => {
    const bytes = sizes.slice(next, next + parts.length).reduce((sum, size) => sum + size, 0);
    next += parts.length;
    return { parts: parts.map((part) => withEnds(part, ends.get(part.path))), bytes };
  });
  return { files: fetchedFiles, leftOut: playlists[0]?.leftOut ?? [] };
}

function partOf(run: SegmentRun): PlannedPart {
  const { path, duration, segments } = run;
  return { path, duration, segments: segmentTable(run), section: segments[0]?.section ?? 0 };
}

function withEnds(part: PlannedPart, ends: readonly number[] = []): PlannedPart {
  const { segments } = part;
  return segments === undefined ? part : { ...part, segments: { ...segments, ends } };
}

/** Cuts a playlist where its clock, codec or tracks may change, and where another initialization section begins. */
function runsOf(
  source: Source,
  playlist: FoundPlaylist,
  nameFile: (segments: readonly Segment[], order: number) => string,
): SegmentRun[] {
  const cuts: Segment[][] = [];
  for (const segment of playlist.media.segments) {
    const cut = cuts.at(-1);
    const [first] = cut ?? [];
    if (first?.section !== segment.section || !isSameMap(first.map, segment.map)) cuts.push([segment]);
    else cut?.push(segment);
  }
  const keys = createKeyStore(source);
  let end = 0;
  return cuts.map((segments, order) => {
    const start = end;
    const duration = segments.reduce((sum, segment) => sum + segment.duration, 0);
    end += duration;
    return {
      source: (url, name) => memberOf(source, url, `${name} of ${source.name.toLowerCase()}`),
      segments,
      firstSequence: playlist.media.mediaSequence,
      segmentsInAll: playlist.media.segments.length,
      keys,
      path: nameFile(segments, order),
      start,
      duration,
    };
  });
}

/** Whether two initialization sections are the same bytes. Keys may change in between. */
function isSameMap(one: Segment['map'], other: Segment['map']): boolean {
  const [range, otherRange] = [one?.byteRange, other?.byteRange];
  return one?.url === other?.url && range?.offset === otherRange?.offset && range?.length === otherRange?.length;
}

function pathOf(stem: string, number: number, [first]: readonly Segment[]): string {
  return `${stem}${number === 0 ? '' : `-${number + 1}`}.${first?.map === undefined ? 'ts' : 'mp4'}`;
}
