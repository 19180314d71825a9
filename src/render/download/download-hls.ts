import type { Clip } from '../../contract/clip.ts';
import { MillraceError } from '../../contract/errors.ts';
import { codecFamilies } from '../../hls/codec-families.ts';
import type { Rendition, Variant } from '../../hls/master-playlist.ts';
import type { Segment } from '../../hls/media-playlist.ts';
import { runInTurns, type Steps } from '../../waiting/steps.ts';
import { findClipStart } from './clip-start/find-clip-start.ts';
import { playlistDelays } from './clip-start/playlist-delays.ts';
import { createSegmentReader } from './clip-start/read-segment.ts';
import { downloadSegments } from './download-segments.ts';
import { type ClippedPlaylist, clipPlaylists } from './excerpt/clip-playlists.ts';
import type { FileProgress, FileSegments } from './file-progress.ts';
import { openJournal } from './journal.ts';
import {
  fileSegments,
  isSameMap,
  type MediaResource,
  resourcesOf,
  type SegmentRun,
  segmentName,
} from './media-resources.ts';
import { openPlaylists, type PlaylistLinks } from './playlist-links.ts';
import { createKeyStore, type KeyStore } from './segment-keys.ts';
import type { PlaylistChoice, SelectedPlaylist } from './select-playlists.ts';
import type { SizeGuard } from './size-guard.ts';
import type { Source } from './source-request.ts';

/** Receives the progress of HLS files, so that processing can start before they are complete. */
export interface HlsListener {
  /** Called when the playlists of an input have been read; its media will be in these files. */
  onFiles(input: number, files: readonly PlaylistFile[]): void;
  /** Called when a file has grown. */
  onFileProgress(path: string, progress: FileProgress): void;
}

/** A file that contains part of a playlist's media. */
export interface PlaylistFilePart {
  readonly path: string;
  /** Duration in seconds, as declared by the playlist. */
  readonly duration: number;
  /** The segments that the file consists of. */
  readonly segments?: FileSegments;
  /** Number of discontinuities before this file (default 0). Parts with the same number may share a clock. */
  readonly section?: number;
  /**
   * Set on the first file if only the segments that a clip needs are fetched: time at which it begins, in seconds from
   * the beginning of the earliest playlist of the input.
   */
  readonly excerptStart?: number;
}

/** The media of a playlist. */
export interface PlaylistFile {
  /** One file, or several in playing order if the playlist has discontinuities. */
  readonly parts: readonly PlaylistFilePart[];
  /** Language tag of its audio, if the playlist states it. */
  readonly language?: string;
}

/** The fetched media of a playlist. */
interface HlsFile extends PlaylistFile {
  readonly bytes: number;
}

/** What of a playlist is not in its files, or may not be. */
export interface PlaylistOmissions {
  /** Whether the fetched variant declares audio: by its codecs, or by a group of renditions. */
  readonly declaresAudio?: boolean;
  /** Renditions of the playlist that were not fetched. */
  readonly skippedRenditions?: readonly Rendition[];
  /** The best variant, if it has gaps and another one has none. */
  readonly variantWithGaps?: Variant;
  /** Number of segments that the source reports as missing, and their duration in seconds. */
  readonly gaps?: { readonly segments: number; readonly seconds: number };
}

/** The fetched media of an HLS input. */
interface HlsFiles extends PlaylistOmissions {
  readonly files: readonly HlsFile[];
}

/** Maximum number of files of an input. A day with an advertisement every 90 seconds has 1,000. */
const MAX_FILES = 2_000;

/** Parameters of an HLS download. */
interface HlsDownload {
  readonly source: Source;
  readonly concurrency: number;
  /** Path of the files without their extension. */
  readonly stem: string;
  /** Identifies the playlist in its journal. */
  readonly subject: unknown;
  readonly sizeGuard: SizeGuard;
  /** The part of the media to fetch; absent for all of it. */
  readonly clip?: Clip | undefined;
  /** Whether the result can store a video codec. */
  readonly stores?: PlaylistChoice['stores'];
  /** Called with the fraction of the duration that has arrived, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Called with the files that will contain the media, as soon as the playlists are read. */
  readonly onFiles: (files: readonly PlaylistFile[]) => void;
  /** Called with the number of bytes of a file that are present from its start. */
  readonly onFileProgress: (path: string, progress: FileProgress) => void;
}

/**
 * Fetches the media of an HLS playlist. Audio in a separate playlist becomes a second item, which is fetched
 * concurrently with its video.
 *
 * @throws MillraceError as in `select-playlists.ts`, `segment-keys.ts` and `fetch-part.ts`, `input_too_large`, or
 * `clip_out_of_range`.
 * @throws SourceChanged if a segment, or the playlist at a new link, differs from the fetched one.
 */
export async function downloadHls(download: HlsDownload): Promise<HlsFiles> {
  const { source, concurrency, stem, sizeGuard, clip, onProgress, onFileProgress } = download;
  const { playlists, sourceFor } = await openPlaylists(source, { stores: download.stores });
  const keys = createKeyStore(source);
  const clippedPlaylists = clip === undefined ? [] : await clipAll(download, clip, { playlists, sourceFor }, keys);
  const firstSection = Math.min(...clippedPlaylists.map(({ segments }) => segments[0]?.discontinuityIndex ?? 0));
  const runs: SegmentRun[] = [];
  const resources: MediaResource[][] = [];
  const files: PlaylistFile[] = [];
  for (const [at, playlist] of playlists.entries()) {
    const nameFile = (segments: readonly Segment[], order: number) => pathOf(stem, runs.length + order, segments);
    const clipped = clippedPlaylists[at];
    const playlistRuns = runsOf(playlist, clipped, { sourceFor, keys }, nameFile);
    if (runs.length + playlistRuns.length > MAX_FILES) throw tooManyFiles();
    const parts: PlaylistFilePart[] = [];
    for (const run of playlistRuns) {
      const own = await runInTurns(resourcesOf(run), source.signal);
      runs.push(run);
      resources.push(own);
      parts.push(await runInTurns(partOf(run, own), source.signal));
    }
    files.push({
      parts: clipped === undefined ? parts : parts.map(excerptPart(clipped.start, firstSection)),
      ...(playlist.language === undefined ? {} : { language: playlist.language }),
    });
  }
  download.onFiles(files);
  const ends = new Map<string, readonly number[]>();
  const journal = await openJournal(`${stem}.journal`, download.subject);
  const pendingSizes = downloadSegments({
    runs,
    resources,
    concurrency,
    heldMemory: source.heldMemory,
    signal: source.signal,
    sizeGuard,
    onProgress,
    onFileProgress(path, progress) {
      ends.set(path, progress.ends ?? []);
      onFileProgress(path, progress);
    },
    journal,
  });
  const sizes = await pendingSizes.finally(journal.close);
  let next = 0;
  const fetchedFiles = files.map(({ parts, ...facts }) => {
    const bytes = sizes.slice(next, next + parts.length).reduce((sum, size) => sum + size, 0);
    next += parts.length;
    return { ...facts, parts: parts.map((part) => withEnds(part, ends.get(part.path))), bytes };
  });
  const segments = playlists.flatMap(({ media }, at) => {
    const clipped = clippedPlaylists[at];
    return clipped === undefined ? media.segments : [...(clipped.firstGaps ?? []), ...clipped.segments];
  });
  return { files: fetchedFiles, ...omissionsOf(playlists[0], segments) };
}

/** Selects the segments that a clip needs, of which those of the video begin where decoding can. */
async function clipAll(
  { source, sizeGuard }: HlsDownload,
  clip: Clip,
  { playlists, sourceFor }: PlaylistLinks,
  keys: KeyStore,
): Promise<ClippedPlaylist[]> {
  const readable = playlists.map(({ media }) => {
    const nameOf = (segment: Segment) => segmentName(segment, media.mediaSequence, media.segments.length);
    const onBytes = (bytes: number) => sizeGuard.check(bytes);
    return { media, reader: createSegmentReader({ keys, sourceFor, nameOf, onBytes, memory: source.heldMemory }) };
  });
  try {
    const delays = await playlistDelays(readable, clip.start);
    return await clipPlaylists(playlists, clip, source.name, {
      delays,
      extend: async (clipped, media) => {
        const [video] = readable;
        return video === undefined ? clipped : await findClipStart(clipped, media, clip, video.reader);
      },
    });
  } finally {
    for (const { reader } of readable) reader.close();
  }
}

function omissionsOf(
  { variant, skippedRenditions = [], variantWithGaps }: Partial<SelectedPlaylist> = {},
  segments: readonly Segment[],
): PlaylistOmissions {
  const gaps = segments.filter(({ gap }) => gap);
  const seconds = gaps.reduce((sum, { duration }) => sum + duration, 0);
  const declaresAudio = codecFamilies(variant?.codecs ?? []).audio !== undefined || variant?.audioGroup !== undefined;
  return {
    ...(declaresAudio ? { declaresAudio } : {}),
    skippedRenditions,
    ...(variantWithGaps === undefined ? {} : { variantWithGaps }),
    ...(gaps.length === 0 ? {} : { gaps: { segments: gaps.length, seconds } }),
  };
}

function* partOf(run: SegmentRun, resources: readonly MediaResource[]): Steps<PlaylistFilePart> {
  const { path, duration, segments } = run;
  const section = segments[0]?.discontinuityIndex ?? 0;
  return { path, duration, segments: yield* fileSegments(run, resources), section };
}

/** Returns a function that marks a file as part of an excerpt. Sections count from that of its first segment. */
function excerptPart(start: number, firstSection: number) {
  return (part: PlaylistFilePart, order: number): PlaylistFilePart => {
    const section = (part.section ?? 0) - firstSection;
    return { ...part, section, ...(order === 0 ? { excerptStart: start } : {}) };
  };
}

function withEnds(part: PlaylistFilePart, ends: readonly number[] = []): PlaylistFilePart {
  const { segments } = part;
  return segments === undefined ? part : { ...part, segments: { ...segments, ends } };
}

function tooManyFiles(): MillraceError {
  const message =
    `The playlist has more than ${MAX_FILES} discontinuities, gaps and changes of its initialization section together. ` +
    'Split it into shorter ones.';
  return new MillraceError('invalid_response_data', message);
}

/**
 * Splits a playlist where its clock, codec or tracks may change, where another initialization section starts, and where
 * segments are missing.
 */
function runsOf(
  playlist: SelectedPlaylist,
  clipped: ClippedPlaylist | undefined,
  members: Pick<SegmentRun, 'sourceFor' | 'keys'>,
  nameFile: (segments: readonly Segment[], order: number) => string,
): SegmentRun[] {
  const groups: { readonly segments: Segment[]; readonly start: number }[] = [];
  let previous: Segment | undefined;
  let time = 0;
  for (const segment of clipped?.segments ?? playlist.media.segments) {
    const continues =
      previous?.gap === false &&
      previous.discontinuityIndex === segment.discontinuityIndex &&
      isSameMap(previous.map, segment.map);
    if (!segment.gap && continues) groups.at(-1)?.segments.push(segment);
    else if (!segment.gap) groups.push({ segments: [segment], start: time });
    previous = segment;
    time += segment.duration;
  }
  return groups.map(({ segments, start }, order) => ({
    ...members,
    segments,
    firstSequence: playlist.media.mediaSequence,
    totalSegments: playlist.media.segments.length,
    setup: order === 0 ? clipped?.setup : undefined,
    path: nameFile(segments, order),
    start,
    duration: segments.reduce((sum, segment) => sum + segment.duration, 0),
  }));
}

function pathOf(stem: string, number: number, [first]: readonly Segment[]): string {
  return `${stem}${number === 0 ? '' : `-${number + 1}`}.${first?.map === undefined ? 'ts' : 'mp4'}`;
}
