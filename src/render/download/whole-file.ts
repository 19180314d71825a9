import { type FileHandle, open } from 'node:fs/promises';
import { MillraceError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { type ArrivingFile, trackArrivals } from './arrivals.ts';
import { chunkSizeFor, OPENING_BYTES, splitRest } from './chunks.ts';
import { fetchPart } from './fetch-part.ts';
import { createFileWriter } from './file-writer.ts';
import { type ByteRange, type PartHead, RangesUnsupported, type Source, SourceChanged } from './source.ts';
import { createTaskGroup } from './task-group.ts';

/** How often a file that changes under the download is begun again. */
const MAX_RESTARTS = 2;

/** What fetching one file needs. */
export interface FileDownload extends ArrivingFile {
  readonly chunks: JobInput['chunks'];
  readonly path: string;
}

/**
 * Fetches a file, in parallel ranges where the source has them, else as one stream. Returns its size in bytes.
 *
 * @throws MillraceError of `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadFile(download: FileDownload): Promise<number> {
  let fetchAll = inChunks;
  for (let restarts = 0; ; restarts += 1) {
    const file = await open(download.path, 'w');
    try {
      const size = await fetchAll(download, file);
      // What an earlier try wrote behind the end goes.
      await file.truncate(size);
      return size;
    } catch (error) {
      if (!(error instanceof RangesUnsupported || error instanceof SourceChanged)) throw error;
      if (restarts === MAX_RESTARTS) throw inconsistent(download.source, error);
      if (error instanceof RangesUnsupported) fetchAll = asOneStream;
    } finally {
      await file.close();
    }
  }
}

function inconsistent({ name }: Source, cause: Error): MillraceError {
  const message = `${name} changes while it is downloaded: ${cause.message}. Start the same job again.`;
  return new MillraceError('download_incomplete', message, { cause });
}

/** Fetches an opening part, whose head tells the size; the others follow at once, several at a time. */
async function inChunks(download: FileDownload, file: FileHandle): Promise<number> {
  const { chunks } = download;
  const group = createTaskGroup(download.source.signal);
  const source = { ...download.source, signal: group.signal };
  const arrivals = trackArrivals(download);
  const waiting: ByteRange[] = [];
  let size = 0;

  const fetch = (part: ByteRange, onHead?: (head: PartHead) => void) =>
    fetchPart(source, part, createFileWriter(file, 0), arrivals.watch(part, onHead));
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await fetch(part);
  };
  const opening = { from: 0, to: (chunks.size ?? OPENING_BYTES) - 1, opening: true };
  const plan = ({ ranges, total }: PartHead) => {
    if (!ranges || total === undefined) return;
    size = total;
    waiting.push(...splitRest(opening.to + 1, total, chunks.size ?? chunkSizeFor(total, chunks.concurrency)));
    const helpers = Math.min(chunks.concurrency - 1, waiting.length);
    for (let helper = 0; helper < helpers; helper += 1) group.run(work);
  };
  group.run(async () => {
    const end = await fetch(opening, plan);
    size = Math.max(size, end);
    await work();
  });
  await group.done();
  return size;
}

async function asOneStream(download: FileDownload, file: FileHandle): Promise<number> {
  const all = { from: 0 };
  return fetchPart(download.source, all, createFileWriter(file, 0), trackArrivals(download).watch(all));
}
