import type { FileHandle } from 'node:fs/promises';
import { MillraceError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import type { Hasher } from '../../files/hashing/hasher.ts';
import { type ArrivalHash, createArrivalHash, type StartedHash } from './arrival-hash.ts';
import { createArrivalProof, type SummedRange } from './arrival-proof.ts';
import { type TrackedFile, trackArrivedRanges } from './arrived-ranges.ts';
import { type ByteRange, gapsIn, totalBytes } from './byte-ranges.ts';
import { chunkSizeFor, INITIAL_CHUNK_BYTES, splitRange } from './chunks.ts';
import { fetchPart } from './fetch-part.ts';
import { fetchStream } from './fetch-stream.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';
import { type Journal, openJournal } from './journal.ts';
import {
  openResumableFile,
  type ResumableFile,
  readResumableFile,
  recordRange,
  recordVersion,
} from './resumable-file.ts';
import {
  type PartHead,
  type RangeRequest,
  RangesUnsupported,
  resourceVersionOf,
  type Source,
  SourceChanged,
} from './source-request.ts';
import { partsIn, type StoredBytes, withStoredBytes } from './stored-bytes.ts';
import { createTaskGroup } from './task-group.ts';
import { createTextCheckingWriter } from './text-checking-writer.ts';

/** Maximum number of restarts if a file changes while it is downloaded. */
const MAX_RESTARTS = 2;

/** Parameters of a file download. */
interface FileDownload extends TrackedFile {
  readonly chunks: JobInput['chunks'];
  readonly path: string;
  /** Identifies the file in its journal. */
  readonly subject: unknown;
  /** Whether the file is refused if it begins with text, as the response to an expired link does. */
  readonly refusesText: boolean;
  /** Hashes the file while it arrives. If absent, it is hashed later. */
  readonly hasher?: Pick<Hasher, 'open'> | undefined;
}

/** A file that has been fetched. */
interface DownloadedFile {
  readonly size: number;
  readonly startedHash?: StartedHash | undefined;
}

/**
 * Fetches a file, in parallel ranges if the source supports them, or else as one stream. Skips ranges that an earlier
 * run has stored.
 *
 * @throws MillraceError as in `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadFile(download: FileDownload): Promise<DownloadedFile> {
  const journal = await openJournal(`${download.path}.journal`, download.subject);
  try {
    return await fetchWithRestarts(download, journal);
  } finally {
    await journal.close();
  }
}

async function fetchWithRestarts(download: FileDownload, journal: Journal): Promise<DownloadedFile> {
  let resumable = await readResumableFile(journal, download.path);
  if (resumable === undefined) await journal.clear();
  let fetchAll = fetchInChunks;
  for (let restarts = 0; ; restarts += 1) {
    const file = await openResumableFile(download.path, resumable);
    try {
      const downloaded = await fetchAll(download, { file, journal, resumable });
      // An earlier attempt may have written past the end.
      await file.truncate(downloaded.size);
      return downloaded;
    } catch (error) {
      if (!(error instanceof RangesUnsupported || error instanceof SourceChanged)) throw error;
      if (restarts === MAX_RESTARTS) throw inconsistentError(download.source, error);
      // A server whose backends have different tags sends all of its bytes in one response.
      if (error instanceof RangesUnsupported || restarts + 1 === MAX_RESTARTS) fetchAll = fetchAsOneStream;
      resumable = undefined;
      await journal.clear();
    } finally {
      await file.close();
    }
  }
}

function inconsistentError({ name }: Source, cause: RangesUnsupported | SourceChanged): MillraceError {
  const what = cause instanceof SourceChanged ? 'changed during the download' : 'could not be downloaded completely';
  const message = `${name} ${what}: ${cause.message}. Start the same job again.`;
  return new MillraceError('download_incomplete', message, { cause });
}

/** The file that an attempt writes to. */
interface Target {
  readonly file: FileHandle;
  readonly journal: Journal;
  readonly resumable: ResumableFile | undefined;
}

/**
 * Fetches an initial chunk, whose headers contain the total size, then the others, several concurrently. Fetches only
 * the missing parts of a resumable file.
 */
async function fetchInChunks(download: FileDownload, { file, journal, resumable }: Target): Promise<DownloadedFile> {
  const { chunks } = download;
  const group = createTaskGroup(download.source.signal);
  const source = { ...download.source, signal: group.signal };
  const storedRanges = resumable?.storedRanges ?? [];
  const resumedBytes = resumable && { version: resumable.version, bytes: totalBytes(storedRanges) };
  const queue: RangeRequest[] = [];
  let size = resumable?.version.total ?? 0;
  let recordStored: ((range: SummedRange) => void) | undefined;
  const proof = createArrivalProof(source.name, { storedRanges, onStored: (range) => recordStored?.(range) });
  const arrivalHash = openArrivalHash(download, storedRanges, group.signal);

  /** Records the version that the file has at a link, which later ranges belong to. */
  const record = (head: PartHead) => {
    const version = resourceVersionOf({ ...head, total: size });
    if (version !== undefined) recordVersion(journal, version);
    // A later run could not recognize the version of ranges without a validator.
    recordStored = version && ((range) => recordRange(journal, range));
  };
  const onNewLink = (head: PartHead) => {
    if (recordStored !== undefined) record(head);
  };
  const arrivedRanges = trackArrivedRanges(download, { resumedBytes, onNewLink });

  const fetch = (part: RangeRequest, onHead?: (head: PartHead) => void) =>
    fetchPart(
      source,
      part,
      checkText(
        download,
        proof.writerTo((onWritten) =>
          createFileWriter(file, 0, (range) => {
            onWritten(range);
            arrivalHash?.written(range);
          }),
        ),
        part.from,
      ),
      arrivedRanges.observe(part, onHead),
    );
  const runWorker = async () => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) await fetch(part);
  };
  const startWorkers = (gaps: readonly ByteRange[], maxWorkers: number) => {
    const length = chunks.size ?? chunkSizeFor(size, chunks.concurrency);
    queue.push(...gaps.flatMap((gap) => splitRange(gap, length)));
    const workers = Math.min(maxWorkers, queue.length);
    for (let worker = 0; worker < workers; worker += 1) group.run(runWorker);
  };
  const initialRange = { from: 0, to: (chunks.size ?? INITIAL_CHUNK_BYTES) - 1, initial: true };
  const onInitialHead = (head: PartHead) => {
    if (!head.acceptsRanges) return;
    if (head.total === undefined) throw new RangesUnsupported(`${source.name} was sent as a range of unknown size`);
    size = head.total;
    record(head);
    startWorkers([{ from: initialRange.to + 1, end: size }], chunks.concurrency - 1);
  };
  if (resumable === undefined) {
    group.run(async () => {
      const end = await fetch(initialRange, onInitialHead);
      size = Math.max(size, end);
      await runWorker();
    });
  } else {
    recordStored = (range) => recordRange(journal, range);
    startWorkers(gapsIn({ from: 0, end: size }, storedRanges), chunks.concurrency);
  }
  await group.wait();
  const verify = (bytes: StoredBytes) => proof.verify({ from: 0, end: size }, partsIn(download.path), bytes);
  group.run(() => withStoredBytes(group.signal, verify));
  await group.wait();
  return { size, startedHash: arrivalHash?.finish(size) };
}

function openArrivalHash(
  { hasher, path }: FileDownload,
  storedRanges: readonly ByteRange[],
  signal: AbortSignal,
): ArrivalHash | undefined {
  if (hasher === undefined) return undefined;
  return createArrivalHash(hasher, signal, { partsOf: partsIn(path), storedRanges });
}

async function fetchAsOneStream(download: FileDownload, { file }: Target): Promise<DownloadedFile> {
  const { source, path } = download;
  const checkStart = (writer: ByteWriter) => checkText(download, writer, 0);
  return { size: await fetchStream(source, path, file, trackArrivedRanges(download), checkStart) };
}

/** Returns a writer that refuses text if the bytes from `from` are the start of a file that refuses it. */
function checkText({ refusesText, source }: FileDownload, writer: ByteWriter, from: number): ByteWriter {
  return refusesText && from === 0 ? createTextCheckingWriter(writer, source, 0) : writer;
}
