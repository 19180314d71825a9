import type { IndexAdditions } from './additions/additions-in-index.ts';
import { fileTypeBox, type Mp4Container, maxUint32, mediaDataHeader, movieBox } from './movie-writer.ts';
import type { SourceTrack, TrackTiming } from './track-timing.ts';

/**
 * Seconds of one track that are stored together: short enough to play while downloading, long enough to read
 * efficiently.
 */
const chunkSeconds = 1;

/** Contiguous bytes of one input that are copied into the result together. */
export interface CopyRun {
  /** Index of the input among the task's inputs. */
  readonly input: number;
  readonly offset: number;
  readonly length: number;
}

/** The layout of a result, computed before any media is copied. */
export interface Layout {
  /** Everything before the media: file type, index, and the header of the media box. */
  readonly head: Buffer;
  /** Size of the whole result in bytes. */
  readonly bytes: number;
  /** Size of the media in bytes. */
  readonly mediaBytes: number;
  /**
   * Iterates over the runs that follow the head, in order; may be called once. A list of all runs could be longer than
   * the index.
   */
  runs(): Iterable<CopyRun>;
}

/** A sample of a result. */
export interface StoredSample {
  /** Index of its track. */
  readonly track: number;
  /** Index in the track. */
  readonly sample: number;
}

/** Samples of one track that are stored together in the result. */
interface Chunk {
  readonly track: number;
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
  /** Time at which it is needed, in seconds. */
  readonly time: number;
}

/**
 * Computes the layout of a result: the offset of every sample, with the index at the beginning, so that it plays while
 * downloading.
 */
export function computeLayout(
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  container: Mp4Container,
  additions: Pick<IndexAdditions, 'addTo' | 'titles'>,
): Layout & {
  /** Iterates over the samples, in order. */
  samples(): Iterable<StoredSample>;
} {
  const chunks = tracks.flatMap((track, at) => splitIntoChunks(track, at, timings[at])).sort((a, b) => a.time - b.time);
  const mediaBytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  const type = fileTypeBox(
    container,
    tracks.map(({ track }) => track.codec),
  );
  const index = (mediaOffset: number, longOffsets: boolean) =>
    additions.addTo(movieBox(computeChunkTables(chunks, tracks, timings, mediaOffset), longOffsets), type.length);

  // The length of the index does not depend on where the media is, so it is built once to be measured and once to be
  // used.
  const longest = index(0, true).length;
  const shortest = longest - 4 * chunks.length;
  const { titles } = additions;
  const mediaHeader = mediaDataHeader(mediaBytes);
  const longOffsets = type.length + shortest + titles.length + mediaHeader.length + mediaBytes > maxUint32;
  const mediaOffset = type.length + (longOffsets ? longest : shortest) + titles.length + mediaHeader.length;
  const head = Buffer.concat([type, index(mediaOffset, longOffsets), titles, mediaHeader]);
  return {
    head,
    bytes: head.length + mediaBytes,
    mediaBytes,
    runs: () => copyRuns(chunks, tracks),
    samples: () => samplesOf(chunks),
  };
}

function splitIntoChunks(
  { track: { timescale }, samples }: SourceTrack,
  at: number,
  timing: TrackTiming | undefined,
): Chunk[] {
  const chunks: Chunk[] = [];
  const start = (timing?.delay ?? 0) - (timing?.mediaTime ?? 0) / timescale;
  const limit = chunkSeconds * timescale;
  let [time, first, bytes, begin] = [0, 0, 0, 0];
  for (let sample = 0; sample < samples.count; sample += 1) {
    bytes += samples.sizes[sample] ?? 0;
    time += samples.durations[sample] ?? 0;
    if (time - begin < limit && sample < samples.count - 1) continue;
    chunks.push({ track: at, first, end: sample + 1, bytes, time: start + begin / timescale });
    [first, bytes, begin] = [sample + 1, 0, time];
  }
  return chunks;
}

function computeChunkTables(
  chunks: readonly Chunk[],
  tracks: readonly SourceTrack[],
  timings: readonly TrackTiming[],
  mediaOffset: number,
) {
  const chunkTables = tracks.map(() => ({ offsets: [] as number[], counts: [] as number[] }));
  let offset = mediaOffset;
  for (const { track, first, end, bytes } of chunks) {
    chunkTables[track]?.offsets.push(offset);
    chunkTables[track]?.counts.push(end - first);
    offset += bytes;
  }
  return tracks.flatMap((source, at) => {
    const [timing, own] = [timings[at], chunkTables[at]];
    return timing === undefined || own === undefined ? [] : [{ source, timing, chunks: own }];
  });
}

/** Copies samples that are contiguous in their input as one run. */
function* copyRuns(chunks: readonly Chunk[], tracks: readonly SourceTrack[]): Generator<CopyRun> {
  for (const { track, first, end } of chunks) {
    const source = tracks[track];
    if (source === undefined) continue;
    const { offsets, sizes } = source.samples;
    let [offset, length] = [offsets[first] ?? 0, 0];
    for (let sample = first; sample < end; sample += 1) {
      if (offsets[sample] !== offset + length) {
        yield { input: source.input, offset, length };
        [offset, length] = [offsets[sample] ?? 0, 0];
      }
      length += sizes[sample] ?? 0;
    }
    yield { input: source.input, offset, length };
  }
}

function* samplesOf(chunks: readonly Chunk[]): Generator<StoredSample> {
  for (const { track, first, end } of chunks) {
    for (let sample = first; sample < end; sample += 1) yield { track, sample };
  }
}
