import type { FileHandle } from 'node:fs/promises';
import { MillraceError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { type ArrivingFile, trackArrivedRanges } from './arrived-ranges.ts';
import { type ByteRange, gapsIn, totalBytes } from './byte-ranges.ts';
import { chunkSizeFor, OPENING_BYTES, split } from './chunks.ts';
import { fetchPart } from './fetch-part.ts';
import { createFileWriter } from './file-writer.ts';
import { type Journal, openJournal } from './journal.ts';
import { openResumable, type ResumableFile, readResumableFile, recordHead, recordRange } from './resumable-file.ts';
import {
  lastingHead,
  type PartHead,
  type RangeRequest,
  RangesUnsupported,
  type Source,
  SourceChanged,
} from './source.ts';
import { createTaskGroup } from './task-group.ts';

/** How often the download of a file that changes meanwhile restarts. */
const MAX_RESTARTS = 2;

/** What fetching one file needs. */
export interface FileDownload extends ArrivingFile {
  readonly chunks: JobInput['chunks'];
  readonly path: string;
  /** What the file is, for its journal. */
  readonly subject: unknown;
}

/**
 * Fetches a file, in parallel ranges where the source has them, else as one stream; and only what a former run has not
 * stored. Returns its size in bytes.
 *
 * @throws MillraceError of `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadFile(download: FileDownload): Promise<number> {
  const journal = await openJournal(`${download.path}.journal`, download.subject);
  try {
    return await fetchWithRestarts(download, journal);
  } finally {
    await journal.close();
  }
}

async function fetchWithRestarts(download: FileDownload, journal: Journal): Promise<number> {
  let resumable = await readResumableFile(journal, download.path);
  if (resumable === undefined) await journal.clear();
  let fetchAll = inChunks;
  for (let restarts = 0; ; restarts += 1) {
    const file = await openResumable(download.path, resumable);
    try {
      const size = await fetchAll(download, { file, journal, resumable });
      // An earlier try may have written behind the end.
      await file.truncate(size);
      return size;
    } catch (error) {
      if (!(error instanceof RangesUnsupported || error instanceof SourceChanged)) throw error;
      if (restarts === MAX_RESTARTS) throw inconsistent(download.source, error);
      if (error instanceof RangesUnsupported) fetchAll = asOneStream;
      resumable = undefined;
      await journal.clear();
    } finally {
      await file.close();
    }
  }
}

function inconsistent({ name }: Source, cause: RangesUnsupported | SourceChanged): MillraceError {
  const what = cause instanceof SourceChanged ? 'changes while it is downloaded' : 'cannot be downloaded whole';
  const message = `${name} ${what}: ${cause.message}. Start the same job again.`;
  return new MillraceError('download_incomplete', message, { cause });
}

/** The file that a try writes to. */
interface Target {
  readonly file: FileHandle;
  readonly journal: Journal;
  readonly resumable: ResumableFile | undefined;
}

/**
 * Fetches an opening part, whose head tells the size, then the others at once, several at a time. Of a resumable file,
 * fetches only what is missing.
 */
async function inChunks(download: FileDownload, { file, journal, resumable }: Target): Promise<number> {
  const { chunks } = download;
  const group = createTaskGroup(download.source.signal);
  const source = { ...download.source, signal: group.signal };
  const resumed = resumable && { head: resumable.head, bytes: totalBytes(resumable.stored) };
  const arrived = trackArrivedRanges(download, resumed);
  const waiting: RangeRequest[] = [];
  let size = resumable?.head.total ?? 0;
  let onWritten: ((range: ByteRange) => void) | undefined;

  const fetch = (part: RangeRequest, onHead?: (head: PartHead) => void) =>
    fetchPart(
      source,
      part,
      createFileWriter(file, 0, (range) => onWritten?.(range)),
      arrived.watch(part, onHead),
    );
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await fetch(part);
  };
  const begin = (gaps: readonly ByteRange[], mostHelpers: number) => {
    const length = chunks.size ?? chunkSizeFor(size, chunks.concurrency);
    waiting.push(...gaps.flatMap((gap) => split(gap, length)));
    const helpers = Math.min(mostHelpers, waiting.length);
    for (let helper = 0; helper < helpers; helper += 1) group.run(work);
  };
  const opening = { from: 0, to: (chunks.size ?? OPENING_BYTES) - 1, opening: true };
  const onOpening = (head: PartHead) => {
    if (!head.ranges || head.total === undefined) return;
    size = head.total;
    const lasting = lastingHead(head);
    if (lasting !== undefined) {
      recordHead(journal, lasting);
      onWritten = (range) => recordRange(journal, range);
    }
    begin([{ from: opening.to + 1, end: size }], chunks.concurrency - 1);
  };
  if (resumable === undefined) {
    group.run(async () => {
      const end = await fetch(opening, onOpening);
      size = Math.max(size, end);
      await work();
    });
  } else {
    onWritten = (range) => recordRange(journal, range);
    begin(gapsIn({ from: 0, end: size }, resumable.stored), chunks.concurrency);
  }
  await group.done();
  return size;
}

async function asOneStream(download: FileDownload, { file }: Target): Promise<number> {
  const all = { from: 0 };
  return fetchPart(download.source, all, createFileWriter(file, 0), trackArrivedRanges(download).watch(all));
}
