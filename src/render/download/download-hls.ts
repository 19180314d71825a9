import type { Rendition } from '../../hls/master-playlist.ts';
import type { Segment } from '../../hls/media-playlist.ts';
import { downloadSegments } from './download-segments.ts';
import type { FileProgress, FileSegments } from './file-progress.ts';
import { openJournal } from './journal.ts';
import { fileSegments, type SegmentRun } from './media-resources.ts';
import { createKeyStore } from './segment-keys.ts';
import { type SelectedPlaylist, selectPlaylists } from './select-playlists.ts';
import type { SizeGuard } from './size-guard.ts';
import { childSource, type Source } from './source-request.ts';

/** Follows how the files of HLS inputs arrive, so that work on them can begin before they are complete. */
export interface HlsListener {
  /** The playlists of an input have been read: its media will be in these files. */
  onFiles(input: number, files: readonly PlaylistFile[]): void;
  /** A file has grown. */
  onFileProgress(path: string, progress: FileProgress): void;
}

/** A file with part of a playlist's media. */
export interface PlaylistFilePart {
  readonly path: string;
  /** Seconds that the playlist declares for it. */
  readonly duration: number;
  /** The segments that it is put together from. */
  readonly segments?: FileSegments;
  /** Discontinuities before it, by default none: the clock may continue that of a part with as many. */
  readonly section?: number;
}

/** The media of a playlist. */
export interface PlaylistFile {
  /** One file, or several in playing order if the playlist has discontinuities. */
  readonly parts: readonly PlaylistFilePart[];
}

/** The media of a playlist that was fetched. */
interface HlsFile extends PlaylistFile {
  readonly bytes: number;
}

/** The media of an HLS input that was fetched. */
interface HlsFiles {
  readonly files: readonly HlsFile[];
  /** Renditions of its playlist that were not fetched. */
  readonly skippedRenditions: readonly Rendition[];
}

/** What fetching a playlist's media needs. */
interface HlsDownload {
  readonly source: Source;
  readonly concurrency: number;
  /** Where its files go, without an ending. */
  readonly stem: string;
  /** What the playlist is, for its journal. */
  readonly subject: unknown;
  readonly sizeGuard: SizeGuard;
  /** Called with the part that has arrived, 0 to 1, by playing time. */
  readonly onProgress: (fraction: number) => void;
  /** Called with the files that the media will be in, as soon as the playlists are read. */
  readonly onFiles: (files: readonly PlaylistFile[]) => void;
  /** Called with how much of a file is there from its beginning. */
  readonly onFileProgress: (path: string, progress: FileProgress) => void;
}

/**
 * Fetches the media of an HLS playlist; sound that is in a playlist of its own is a second item, and arrives beside the
 * picture it belongs to.
 *
 * @throws MillraceError of `select-playlists.ts`, `segment-keys.ts` and `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadHls(download: HlsDownload): Promise<HlsFiles> {
  const { source, concurrency, stem, sizeGuard, onProgress, onFileProgress } = download;
  const playlists = await selectPlaylists(source);
  const runs: SegmentRun[] = [];
  const files = playlists.map((playlist) => {
    const playlistRuns = runsOf(source, playlist, (segments, order) => pathOf(stem, runs.length + order, segments));
    runs.push(...playlistRuns);
    return { parts: playlistRuns.map(partOf) };
  });
  download.onFiles(files);
  const ends = new Map<string, readonly number[]>();
  const journal = await openJournal(`${stem}.journal`, download.subject);
  const pendingSizes = downloadSegments({
    runs,
    concurrency,
    signal: source.signal,
    onBytes: (bytes) => sizeGuard.check(bytes),
    onProgress,
    onFileProgress(path, progress) {
      ends.set(path, progress.ends ?? []);
      onFileProgress(path, progress);
    },
    journal,
  });
  const sizes = await pendingSizes.finally(journal.close);
  let next = 0;
  const fetchedFiles = files.map(({ parts }) => {
    const bytes = sizes.slice(next, next + parts.length).reduce((sum, size) => sum + size, 0);
    next += parts.length;
    return { parts: parts.map((part) => withEnds(part, ends.get(part.path))), bytes };
  });
  return { files: fetchedFiles, skippedRenditions: playlists[0]?.skippedRenditions ?? [] };
}

function partOf(run: SegmentRun): PlaylistFilePart {
  const { path, duration, segments } = run;
  return { path, duration, segments: fileSegments(run), section: segments[0]?.discontinuityIndex ?? 0 };
}

function withEnds(part: PlaylistFilePart, ends: readonly number[] = []): PlaylistFilePart {
  const { segments } = part;
  return segments === undefined ? part : { ...part, segments: { ...segments, ends } };
}

/** Cuts a playlist where its clock, codec or tracks may change, and where another initialization section begins. */
function runsOf(
  source: Source,
  playlist: SelectedPlaylist,
  nameFile: (segments: readonly Segment[], order: number) => string,
): SegmentRun[] {
  const groups: Segment[][] = [];
  for (const segment of playlist.media.segments) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (first?.discontinuityIndex !== segment.discontinuityIndex || !isSameMap(first.map, segment.map))
      groups.push([segment]);
    else group?.push(segment);
  }
  const keys = createKeyStore(source);
  let end = 0;
  return groups.map((segments, order) => {
    const start = end;
    const duration = segments.reduce((sum, segment) => sum + segment.duration, 0);
    end += duration;
    return {
      sourceFor: (url, name) => childSource(source, url, `${name} of ${source.name.toLowerCase()}`),
      segments,
      firstSequence: playlist.media.mediaSequence,
      totalSegments: playlist.media.segments.length,
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
