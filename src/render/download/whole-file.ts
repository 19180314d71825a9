import type { FileHandle } from 'node:fs/promises';
import { MillraceError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { type ArrivingFile, trackArrivals } from './arrivals.ts';
import { chunkSizeFor, OPENING_BYTES, split } from './chunks.ts';
import { fetchPart } from './fetch-part.ts';
import { createFileWriter } from './file-writer.ts';
import { type Journal, openJournal } from './journal.ts';
import { type KeptFile, noteHead, noteSpan, openKept, readKeptFile } from './kept-file.ts';
import { type ByteRange, lastingHead, type PartHead, RangesUnsupported, type Source, SourceChanged } from './source.ts';
import { gapsIn, lengthOf, type Span } from './spans.ts';
import { createTaskGroup } from './task-group.ts';

/** How often a file that changes under the download is begun again. */
const MAX_RESTARTS = 2;

/** What fetching one file needs. */
export interface FileDownload extends ArrivingFile {
  readonly chunks: JobInput['chunks'];
  readonly path: string;
  /** What the file is, for its journal. */
  readonly subject: unknown;
}

/**
 * Fetches a file, in parallel ranges where the source has them, else as one stream; of what is there from before only
 * what is missing. Returns its size in bytes.
 *
 * @throws MillraceError of `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadFile(download: FileDownload): Promise<number> {
  const journal = await openJournal(`${download.path}.journal`, download.subject);
  try {
    return await fetchInTries(download, journal);
  } finally {
    await journal.close();
  }
}

async function fetchInTries(download: FileDownload, journal: Journal): Promise<number> {
  let kept = await readKeptFile(journal, download.path);
  if (kept === undefined) await journal.clear();
  let fetchAll = inChunks;
  for (let restarts = 0; ; restarts += 1) {
    const file = await openKept(download.path, kept);
    try {
      const size = await fetchAll(download, { file, journal, kept });
      // What an earlier try wrote behind the end goes.
      await file.truncate(size);
      return size;
    } catch (error) {
      if (!(error instanceof RangesUnsupported || error instanceof SourceChanged)) throw error;
      if (restarts === MAX_RESTARTS) throw inconsistent(download.source, error);
      if (error instanceof RangesUnsupported) fetchAll = asOneStream;
      kept = undefined;
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

/** What a try has of the file. */
interface Target {
  readonly file: FileHandle;
  readonly journal: Journal;
  readonly kept: KeptFile | undefined;
}

/**
 * Fetches an opening part, whose head tells the size; the others follow at once, several at a time. Where the size is
 * known from before, only what is missing.
 */
async function inChunks(download: FileDownload, { file, journal, kept }: Target): Promise<number> {
  const { chunks } = download;
  const group = createTaskGroup(download.source.signal);
  const source = { ...download.source, signal: group.signal };
  const former = kept && { head: kept.head, bytes: lengthOf(kept.spans) };
  const arrivals = trackArrivals(download, former);
  const waiting: ByteRange[] = [];
  let size = kept?.head.total ?? 0;
  let onWritten: ((span: Span) => void) | undefined;

  const fetch = (part: ByteRange, onHead?: (head: PartHead) => void) =>
    fetchPart(
      source,
      part,
      createFileWriter(file, 0, (span) => onWritten?.(span)),
      arrivals.watch(part, onHead),
    );
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await fetch(part);
  };
  const begin = (gaps: readonly Span[], mostHelpers: number) => {
    const length = chunks.size ?? chunkSizeFor(size, chunks.concurrency);
    waiting.push(...gaps.flatMap((gap) => split(gap, length)));
    const helpers = Math.min(mostHelpers, waiting.length);
    for (let helper = 0; helper < helpers; helper += 1) group.run(work);
  };
  const opening = { from: 0, to: (chunks.size ?? OPENING_BYTES) - 1, opening: true };
  const plan = (head: PartHead) => {
    if (!head.ranges || head.total === undefined) return;
    size = head.total;
    const lasting = lastingHead(head);
    if (lasting !== undefined) {
      noteHead(journal, lasting);
      onWritten = (span) => noteSpan(journal, span);
    }
    begin([{ from: opening.to + 1, end: size }], chunks.concurrency - 1);
  };
  if (kept === undefined) {
    group.run(async () => {
      const end = await fetch(opening, plan);
      size = Math.max(size, end);
      await work();
    });
  } else {
    onWritten = (span) => noteSpan(journal, span);
    begin(gapsIn({ from: 0, end: size }, kept.spans), chunks.concurrency);
  }
  await group.done();
  return size;
}

async function asOneStream(download: FileDownload, { file }: Target): Promise<number> {
  const all = { from: 0 };
  return fetchPart(download.source, all, createFileWriter(file, 0), trackArrivals(download).watch(all));
}
