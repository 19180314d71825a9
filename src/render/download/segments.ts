import { createConcatenatedFile, type FileSlot } from './concatenated-file.ts';
import { createDecryptingWriter } from './decrypting-writer.ts';
import { fetchPart } from './fetch-part.ts';
import { type ByteWriter, createFileWriter } from './file-writer.ts';
import type { FileGrowth } from './growing-file.ts';
import type { Journal } from './journal.ts';
import { digestOfResources, type MediaResource, rangeOf, resourcesOf, type SegmentRun } from './media-resources.ts';
import { createSegmentWriter } from './segment-writer.ts';
import { lastingHead, type PartHead, SourceChanged } from './source.ts';
import { openStoredResources, type StoredResource, type StoredResources } from './stored-resources.ts';
import { createTaskGroup } from './task-group.ts';

/** What fetching segments needs. */
export interface SegmentsDownload {
  readonly runs: readonly SegmentRun[];
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called with the bytes that have arrived; throws when they are too many. */
  readonly onBytes: (arrived: number) => void;
  /** Called with the part that has arrived, 0 to 1, by playing time. */
  readonly onProgress: (fraction: number) => void;
  /** Called with how much of a run's file is there from its beginning. */
  readonly onGrowth: (path: string, growth: FileGrowth) => void;
  readonly journal: Journal;
}

/**
 * Fetches segments, several at a time and in the order in which they play, straight to their places in the file of each
 * run: the place of a resource is known as soon as the sizes of those before it are; until then its connection is held
 * back. Resources that a former run has stored are not fetched again. Returns the files' sizes in bytes.
 *
 * @throws SourceChanged when the place of a stored resource has changed.
 */
export async function downloadSegments(download: SegmentsDownload): Promise<number[]> {
  const { runs, concurrency } = download;
  const resources = runs.map(resourcesOf);
  const stored = await openStored(download, resources);
  const files = runs.map(({ path }, index) => {
    const onGrowth = (growth: FileGrowth) => download.onGrowth(path, growth);
    return createConcatenatedFile(path, resources[index]?.length ?? 0, onGrowth, stored.has(index));
  });
  const group = createTaskGroup(download.signal);
  const waiting = resources
    .flatMap((own, index) => own.map((resource) => ({ resource, index })))
    .toSorted((a, b) => a.resource.start - b.resource.start)
    [Symbol.iterator]();
  const tally = { bytes: 0, seconds: 0 };
  const seconds = runs.reduce((sum, { duration }) => sum + duration, 0);

  const work = async () => {
    for (const { resource, index } of waiting) {
      const file = files[index];
      if (file === undefined) continue;
      const place = await file.take();
      const former = stored.find(index, resource.order);
      const progress = { place, signal: group.signal, tally, seconds };
      if (former !== undefined) await reuseResource(download, resource, former, progress);
      else await fetchResource(download, resource, progress, (now) => stored.record(index, resource.order, now));
    }
  };
  try {
    for (let worker = 0; worker < concurrency; worker += 1) group.run(work);
    await group.done();
    return files.map(({ bytes }) => bytes);
  } finally {
    for (const file of files) await file.close();
  }
}

/**
 * Opens what a former run has stored, unless the source has changed since: if a resource is missing, one byte of the last
 * stored one is requested again.
 */
async function openStored(
  { runs, journal, signal }: SegmentsDownload,
  resources: readonly MediaResource[][],
): Promise<StoredResources> {
  const paths = runs.map(({ path }) => path);
  const stored = await openStoredResources(journal, digestOfResources(resources), paths);
  const all = resources.flatMap((own, index) =>
    own.map((resource) => ({ resource, former: stored.find(index, resource.order) })),
  );
  const last = all.findLast(({ former }) => former !== undefined);
  const whole = all.every(({ former }) => former !== undefined);
  if (last?.former !== undefined && !whole && !(await isUnchanged(last.resource, last.former, signal))) {
    await stored.forget();
  }
  return stored;
}

async function isUnchanged(
  resource: MediaResource,
  { head: former }: StoredResource,
  signal: AbortSignal,
): Promise<boolean> {
  const { from } = rangeOf(resource);
  const source = { ...resource.run.source(resource.url, resource.name), signal };
  const discard: ByteWriter = {
    write: () => undefined,
    flush: async () => undefined,
    finish: async () => undefined,
  };
  let same = false;
  await fetchPart(source, { from, to: from }, discard, {
    head({ version, total }) {
      same = version === former.version && total === former.total;
    },
    arrived: () => undefined,
    decoded: () => undefined,
  });
  return same;
}

interface Progress {
  readonly place: FileSlot;
  readonly signal: AbortSignal;
  readonly tally: { bytes: number; seconds: number };
  /** Of all resources together. */
  readonly seconds: number;
}

async function reuseResource(
  download: SegmentsDownload,
  { name, duration }: MediaResource,
  { at, bytes }: StoredResource,
  { place, tally, seconds }: Progress,
): Promise<void> {
  place.size.resolve(bytes);
  if ((await place.base) !== at) throw new SourceChanged(`${name} has another place than it had`);
  tally.bytes += bytes;
  tally.seconds += duration;
  download.onBytes(tally.bytes);
  await place.end(bytes);
  download.onProgress(tally.seconds / seconds);
}

async function fetchResource(
  download: SegmentsDownload,
  resource: MediaResource,
  progress: Progress,
  onDone: (stored: StoredResource) => void,
): Promise<void> {
  const { tally } = progress;
  const { run } = resource;
  const { file, base, size, end } = progress.place;
  const source = { ...run.source(resource.url, resource.name), signal: progress.signal };
  const part = rangeOf(resource);
  const length = part.to === undefined ? undefined : part.to - part.from + 1;
  let accepted: PartHead | undefined;
  let arrived = part.from;
  const secondsUntil = (position: number) => {
    const total = length ?? accepted?.total;
    return total ? Math.min((position - part.from) / total, 1) * resource.duration : 0;
  };
  try {
    const cipher = await run.keys.cipherFor(resource.keys, resource.sequence, run.source);
    const decrypting = cipher && createDecryptingWriter(createFileWriter(file, base), cipher, part.from, source.name);
    const plain = decrypting ?? createFileWriter(file, part.from === 0 ? base : shifted(base, -part.from));
    const writer = createSegmentWriter(plain, source, part.from);
    const last = await fetchPart(source, part, writer, {
      head(head) {
        // An empty response does not count: the segment is requested again.
        if (head.total === 0) return;
        if (accepted?.total !== undefined && accepted.total !== head.total) {
          throw new SourceChanged(`${source.name} has a new size`);
        }
        accepted = head;
        const bytes = length ?? head.total;
        // Decrypted or decoded bytes are of another size, which is known at their end.
        if (decrypting === undefined && head.coding === undefined && bytes !== undefined) size.resolve(bytes);
      },
      arrived(position) {
        tally.bytes += position - arrived;
        tally.seconds += secondsUntil(position) - secondsUntil(arrived);
        arrived = position;
        download.onBytes(tally.bytes);
        download.onProgress(tally.seconds / progress.seconds);
      },
      decoded: (bytes) => download.onBytes(tally.bytes + bytes),
    });
    const bytes = decrypting?.size ?? last - part.from;
    size.resolve(bytes);
    const head = accepted && lastingHead(accepted);
    if (head !== undefined) onDone({ at: await base, bytes, head });
    await end(bytes);
  } catch (error) {
    size.reject(error);
    throw error;
  }
}

function shifted(base: Promise<number>, by: number): Promise<number> {
  const place = base.then((at) => at + by);
  // Reported by the resource whose place it is.
  place.catch(() => undefined);
  return place;
}
