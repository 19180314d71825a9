import type { FileHandle } from 'node:fs/promises';
import type { Clip } from '../../../contract/clip.ts';
import type { JobInput } from '../../../contract/job.ts';
import { openForWriting } from '../../../files/open-file.ts';
import { createConcurrencyLimit } from '../../../waiting/concurrency-limit.ts';
import { nextSlice } from '../../../waiting/steps.ts';
import { FastPathDeclined } from '../../engine/binary/fast-path-declined.ts';
import { createArrivalProof } from '../arrival-proof.ts';
import { type TrackedFile, trackArrivedRanges } from '../arrived-ranges.ts';
import { type ByteRange, gapsIn, mergeRanges, totalBytes } from '../byte-ranges.ts';
import { chunkSizeFor, splitRange } from '../chunks.ts';
import { fetchHead, PlacementDeclined } from '../fetch-fragments.ts';
import { fetchPart } from '../fetch-part.ts';
import { type ByteWriter, createFileWriter, shiftWriter } from '../file-writer.ts';
import { createHeldMemory, type HeldMemory } from '../held-memory.ts';
import { type RangeRequest, RangesUnsupported, type Source } from '../source-request.ts';
import { partsIn, withStoredBytes } from '../stored-bytes.ts';
import { requireProportionate } from './excerpt-bounds.ts';
import { fetchBytes, fetchConcurrently } from './fetch-bytes.ts';
import { readIndex } from './find-index.ts';
import { createIndexBytes, type IndexBytes } from './index-bytes.ts';
import { keySampleBytes } from './key-sample.ts';
import {
  declineExcerpt,
  type Excerpt,
  ExcerptDeclined,
  type IndexReading,
  type MediaIndex,
  type MemoryRequest,
} from './media-index.ts';
import { moveFragments } from './move-fragments.ts';

/** Size in bytes of the first request, which contains the index of most files. */
const headBytes = 128 * 1024;
/** Number of bytes of an excerpt's media that are read for its start. */
const measuredBytes = 256 * 1024;
/** Seconds of audio that are fetched before a clip, because separate video begins at the key frame before it. */
const audioLead = 10;
/** Largest difference in seconds between the start of a clip and the media that an index points to. */
const maxLateness = 0.5;
const noBytes = Buffer.alloc(0);

/** Parameters of an excerpt. */
export interface ExcerptDownload extends TrackedFile {
  readonly chunks: JobInput['chunks'];
  readonly clip: Clip;
  /** Whether the job has other inputs, which play at the same time. */
  readonly hasOtherInputs: boolean;
}

/** What an index states about the whole file. Unlike the index, it takes no memory. */
type IndexFacts = Pick<MediaIndex, 'start' | 'duration'>;

/** A planned excerpt of a file. */
export interface PlannedExcerpt {
  readonly index: IndexFacts;
  readonly excerpt: Excerpt;
  /** Size of the source in bytes. */
  readonly sourceBytes: number;
  /** Number of bytes of the source that are fetched, including its index. */
  readonly fetchedBytes: number;
  /** Fetches the excerpt, and writes it to a file. */
  fetchTo(path: string): Promise<FetchedExcerpt>;
}

/** An excerpt that has been fetched. */
export interface FetchedExcerpt {
  /** Size of its file in bytes. */
  readonly bytes: number;
  /** First timestamp of the excerpt, in seconds on the clock of the source. */
  readonly start: number;
}

/**
 * Fetches the index of a file, plans the excerpt for a clip, and uses the plan. Meanwhile, the index counts as held
 * memory.
 *
 * @throws ExcerptDeclined if the whole file must be fetched.
 * @throws MillraceError as in `fetch-part.ts`, or `input_too_large`; SourceChanged; what `use` throws.
 */
export async function withExcerptPlan<Result>(
  download: ExcerptDownload,
  use: (plan: PlannedExcerpt) => Promise<Result>,
): Promise<Result> {
  const memory = createHeldMemory(Number.POSITIVE_INFINITY, download.source.heldMemory);
  try {
    return await use(await planExcerpt(download, memory));
  } finally {
    memory.give();
  }
}

async function planExcerpt(download: ExcerptDownload, memory: HeldMemory): Promise<PlannedExcerpt> {
  return await declineUnsupported(async () => {
    const { source, chunks, clip, hasOtherInputs } = download;
    const progress = { total: undefined as number | undefined };
    const arrivedRanges = trackArrivedRanges(
      { ...download, onBytes: (bytes) => download.onBytes(bytes, progress.total) },
      { isPartial: true },
    );
    const { fileHead } = await fetchHead(source, arrivedRanges, headBytes);
    const { head, size } = fileHead;
    const indexBytes = createIndexBytes(head, size, memory, (range, bytes) =>
      fetchBytes(source, range, bytes, arrivedRanges, chunks.concurrency),
    );
    const withLead = hasOtherInputs ? { ...clip, start: Math.max(0, clip.start - audioLead) } : clip;
    const { index, excerpt } = await planFrom(indexBytes, memory, source, async (run) => {
      const whole = await run(readIndex(size, withLead));
      try {
        const { start, duration, hasVideo } = whole;
        const facts = { start, ...(duration === undefined ? {} : { duration }), hasVideo };
        return { index: facts, excerpt: await run(whole.planExcerpt(hasVideo ? clip : withLead)) };
      } finally {
        whole.release?.();
      }
    });
    const fetchedBytes = totalBytes(mergeRanges([...excerpt.parts.filter(isRange), ...rangesOf(indexBytes)]));
    requireProportionate(index, excerpt, size, source.name);
    progress.total = fetchedBytes;
    const fetchTo = (path: string) =>
      declineUnsupported(() => fetchParts(download, { index, excerpt, indexBytes, arrivedRanges, path }));
    return { index, excerpt, sourceBytes: size, fetchedBytes, fetchTo };
  });
}

/** Converts the errors of sources and files that an excerpt is impossible for. */
async function declineUnsupported<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlacementDeclined || error instanceof RangesUnsupported) {
      throw new ExcerptDeclined('its server does not support ranges', { cause: error });
    }
    if (error instanceof FastPathDeclined) throw new ExcerptDeclined(error.message, { cause: error });
    throw error;
  }
}

/** Turns of readings whose tables take up to 100 MB until they end: of all owners, and of one. */
const turns = createConcurrencyLimit(2, 1);

type RunReading = <Result>(reading: IndexReading<Result>) => Promise<Result>;

/**
 * Plans an excerpt by readings, and gives them the memory that they ask for. The excerpt counts as held memory, too.
 *
 * @throws ExcerptDeclined if there is not enough.
 */
async function planFrom<Plan extends { readonly excerpt: Excerpt }>(
  indexBytes: IndexBytes,
  memory: HeldMemory,
  { caller, signal }: Pick<Source, 'caller' | 'signal'>,
  plan: (run: RunReading) => Promise<Plan>,
): Promise<Plan> {
  let leaveTurn: (() => void) | undefined;
  const grant = async (bytes: MemoryRequest['memory']) => {
    if (bytes === 'turn') leaveTurn ??= await turns.acquire(signal, caller.account);
    else if (!memory.take(bytes)) declineExcerpt('its index is too large for the memory that is left');
  };
  try {
    const planned = await plan((reading) => runReading(reading, indexBytes, grant));
    const madeParts = planned.excerpt.parts.filter((part) => Buffer.isBuffer(part));
    await grant(madeParts.reduce((sum, { length }) => sum + length, 0));
    return planned;
  } finally {
    leaveTurn?.();
  }
}

/** Runs a reading. The event loop runs whenever it pauses. */
async function runReading<Result>(
  reading: IndexReading<Result>,
  bytes: Pick<IndexBytes, 'read'>,
  grant: (memory: MemoryRequest['memory']) => Promise<void> = async () => undefined,
): Promise<Result> {
  let isOver = await nextSlice();
  let step = reading.next();
  while (step.done !== true) {
    let read: Buffer = noBytes;
    if (step.value !== undefined && 'memory' in step.value) await grant(step.value.memory);
    else if (step.value !== undefined) read = await bytes.read(step.value);
    if (step.value !== undefined || isOver()) isOver = await nextSlice();
    step = reading.next(read);
  }
  return step.value;
}

function isRange(part: Buffer | ByteRange): part is ByteRange {
  return !Buffer.isBuffer(part);
}

function rangesOf({ blocks }: IndexBytes): ByteRange[] {
  return mergeRanges(blocks.map(({ from, bytes }) => ({ from, end: from + bytes.length })));
}

interface PartsDownload {
  readonly index: IndexFacts;
  readonly excerpt: Excerpt;
  readonly indexBytes: IndexBytes;
  readonly arrivedRanges: ReturnType<typeof trackArrivedRanges>;
  readonly path: string;
}

/** A range to request, and what to add to its positions to get those in the file. */
interface PlacedRequest extends RangeRequest {
  readonly shift: number;
}

async function fetchParts(
  { source, chunks, clip, sizeGuard }: ExcerptDownload,
  { index, excerpt, indexBytes, arrivedRanges, path }: PartsDownload,
): Promise<FetchedExcerpt> {
  // The ranges may overlap, so that the file is larger than what arrives.
  sizeGuard.check(excerpt.parts.reduce((sum, part) => sum + (isRange(part) ? part.end - part.from : part.length), 0));
  const file = await openForWriting(path, { keep: false });
  try {
    const length = totalBytes(excerpt.parts.filter(isRange));
    const chunkBytes = chunks.size ?? chunkSizeFor(length, chunks.concurrency);
    const requests: PlacedRequest[] = [];
    const proof = createArrivalProof(source.name);
    const openWriter = () => proof.writerTo((onWritten) => createFileWriter(file, 0, onWritten));
    let [position, mediaPosition] = [0, 0];
    for (const part of excerpt.parts) {
      if (Buffer.isBuffer(part)) {
        await writeAt(openWriter(), position, part);
        position += part.length;
        continue;
      }
      const shift = position - part.from;
      await writeKnown(openWriter, part, shift, indexBytes);
      const gaps = gapsIn(part, rangesOf(indexBytes));
      requests.push(...gaps.flatMap((gap) => splitRange(gap, chunkBytes)).map((range) => ({ ...range, shift })));
      mediaPosition = position;
      position += part.end - part.from;
    }
    await fetchConcurrently(source, requests, chunks.concurrency, (groupSource, request) =>
      fetchPart(groupSource, request, shiftWriter(openWriter(), request.shift), arrivedRanges.observe(request)),
    );
    const all = { from: 0, end: position };
    await withStoredBytes(source.signal, (bytes) => proof.verify(all, partsIn(path), bytes));
    const lastPart = excerpt.parts.findLast(isRange);
    if (excerpt.hasFragments === true && lastPart !== undefined) {
      const reading = moveFragments(mediaPosition, position, mediaPosition - lastPart.from);
      const read = (range: ByteRange) => readAt(file, range.from, range.end - range.from);
      const corrections = await runReading(reading, { read });
      for (const { position: at, bytes } of corrections) await file.write(bytes, 0, bytes.length, at);
    }
    const start = await measureStart(file, excerpt, mediaPosition);
    if (start > index.start + clip.start + maxLateness && start > excerpt.start + maxLateness) {
      declineExcerpt('its index does not match its media');
    }
    for (const { position: from, size, check } of excerpt.firstFrames ?? []) {
      check(await readAt(file, from, Math.min(size, keySampleBytes)));
    }
    return { bytes: position, start };
  } finally {
    await file.close();
  }
}

/** Writes the bytes of a range that were fetched with the index. */
async function writeKnown(
  openWriter: () => ByteWriter,
  part: ByteRange,
  shift: number,
  { blocks }: IndexBytes,
): Promise<void> {
  for (const { from, bytes } of blocks) {
    const known = { from: Math.max(from, part.from), end: Math.min(from + bytes.length, part.end) };
    if (known.end <= known.from) continue;
    await writeAt(openWriter(), known.from + shift, bytes.subarray(known.from - from, known.end - from));
  }
}

async function writeAt(writer: ByteWriter, position: number, bytes: Buffer): Promise<void> {
  await writer.write(position, bytes);
  await writer.finish();
}

async function measureStart(file: FileHandle, { start, measureStart: measure }: Excerpt, position: number) {
  return measure === undefined ? start : measure(await readAt(file, position, measuredBytes));
}

/** Reads bytes of a file; fewer at its end. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
