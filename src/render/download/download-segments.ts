import { isSameVersion } from '../../egress/validator.ts';
import { runInTurns } from '../../waiting/steps.ts';
import { type ArrivalProof, createArrivalProof } from './arrival-proof.ts';
import { isSameMedia } from './arrived-ranges.ts';
import { createConcatenatedFile, type FileSlot } from './concatenated-file.ts';
import { fetchPart, type PartObserver } from './fetch-part.ts';
import type { FileProgress } from './file-progress.ts';
import type { ByteWriter } from './file-writer.ts';
import type { HeldMemory } from './held-memory.ts';
import { createHoldingArea, type HeldBytes } from './holding-area.ts';
import { createHoldingWriter } from './holding-writer.ts';
import { fractionOf } from './input-progress.ts';
import type { Journal } from './journal.ts';
import type { LinkState } from './links/source-link.ts';
import { digestOfResources, type MediaResource, rangeOf, type SegmentRun } from './media-resources.ts';
import { createSegmentWriter } from './segment-writer.ts';
import { createSharedResources, type SharedRange, type SharedResources } from './shared-resources.ts';
import { divideSizeGuard, type SizeGuard } from './size-guard.ts';
import { type PartHead, resourceVersionOf, type Source, SourceChanged } from './source-request.ts';
import { partsIn, withStoredBytes } from './stored-bytes.ts';
import { openStoredResources, type StoredResource, type StoredResources } from './stored-resources.ts';
import { createTaskGroup } from './task-group.ts';

/** Parameters of a segment download. */
interface SegmentsDownload {
  readonly runs: readonly SegmentRun[];
  /** The resources of each run. */
  readonly resources: readonly (readonly MediaResource[])[];
  readonly concurrency: number;
  readonly heldMemory: HeldMemory;
  readonly signal: AbortSignal;
  /** Counts what the download has on the disk: the segments, also while they are held, and the files that some are taken from. */
  readonly sizeGuard: SizeGuard;
  /** Called with the fraction of the duration that has arrived, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Called with the number of bytes of a run's file that are present from its start. */
  readonly onFileProgress: (path: string, progress: FileProgress) => void;
  readonly journal: Journal;
}

/**
 * Fetches segments in playing order, several concurrently, and writes them directly to their offsets in the file of
 * each run. The offset of a resource is known once the sizes of all preceding resources are known; until then, its bytes
 * are held. Resources that an earlier run has stored are not fetched again. Returns the files'
 * sizes in bytes.
 *
 * @throws SourceChanged if the offset of a stored resource has changed.
 */
export async function downloadSegments(download: SegmentsDownload): Promise<number[]> {
  const { runs, resources, concurrency } = download;
  const storedResources = await openUnchangedResources(download);
  const files = runs.map(({ path }, index) => {
    const onFileProgress = (progress: FileProgress) => download.onFileProgress(path, progress);
    return createConcatenatedFile(path, resources[index]?.length ?? 0, onFileProgress, storedResources.has(index));
  });
  const group = createTaskGroup(download.signal);
  const queue = resources
    .flatMap((own, index) => own.map((resource) => ({ resource, index })))
    .toSorted((a, b) => a.resource.start - b.resource.start)
    [Symbol.iterator]();
  const tally = { seconds: 0 };
  const openGuard = divideSizeGuard(download.sizeGuard);
  const sharedResources = createSharedResources({ stem: runs[0]?.path ?? '', signal: group.signal, openGuard });
  const holdingArea = createHoldingArea(`${runs[0]?.path ?? ''}-held`, download.heldMemory);
  const proofs: ResourceProof[] = [];
  const seconds = runs.reduce((sum, { duration }) => sum + duration, 0);

  const runWorker = async () => {
    for (const { resource, index } of queue) {
      const file = files[index];
      if (file === undefined) continue;
      const slot = await file.reserveSlot();
      const storedResource = storedResources.find(index, resource.order);
      const progress = {
        slot,
        signal: group.signal,
        sizeGuard: openGuard(),
        tally,
        seconds,
        sharedResources,
        proofs,
        openHeld: holdingArea.open,
      };
      if (resource.content !== undefined) await writeContent(resource, resource.content, progress);
      else if (storedResource !== undefined) await reuseResource(download, resource, storedResource, progress);
      else
        await fetchResource(download, resource, progress, (result) =>
          storedResources.record(index, resource.order, result),
        );
    }
  };
  try {
    for (let worker = 0; worker < concurrency; worker += 1) group.run(runWorker);
    await group.wait();
    await verifyResources(proofs, download.signal);
    await sharedResources.verify().catch(async (error: unknown) => {
      // The next run would find the same difference.
      if (error instanceof SourceChanged) await storedResources.forget();
      throw error;
    });
    return files.map(({ bytes }) => bytes);
  } finally {
    await sharedResources.close();
    await holdingArea.close();
    for (const file of files) await file.close();
  }
}

/**
 * Opens the resources that an earlier run has stored, unless the source has changed since. Unless all resources are
 * stored, one byte of the last stored resource is requested again to check for a change.
 */
async function openUnchangedResources({
  runs,
  resources,
  journal,
  signal,
}: SegmentsDownload): Promise<StoredResources> {
  const paths = runs.map(({ path }) => path);
  const digest = await runInTurns(digestOfResources(resources), signal);
  const storedResources = await openStoredResources(journal, digest, paths);
  const [last, isWhole] = findLastStored(resources, storedResources);
  if (last !== undefined && !isWhole && !(await isUnchanged(...last, signal))) await storedResources.forget();
  return storedResources;
}

/** Returns the last resource that is stored, and whether all are. */
function findLastStored(
  resources: readonly (readonly MediaResource[])[],
  storedResources: StoredResources,
): [last: readonly [MediaResource, StoredResource] | undefined, isWhole: boolean] {
  let last: readonly [MediaResource, StoredResource] | undefined;
  let isWhole = true;
  for (const [index, own] of resources.entries()) {
    for (const resource of own) {
      const stored = storedResources.find(index, resource.order);
      if (stored === undefined) isWhole = false;
      else last = [resource, stored];
    }
  }
  return [last, isWhole];
}

async function isUnchanged(
  resource: MediaResource,
  { version: storedVersion }: StoredResource,
  signal: AbortSignal,
): Promise<boolean> {
  const { from } = rangeOf(resource);
  const source = { ...resource.run.sourceFor(resource.url, resource.name), signal };
  const discard: ByteWriter = {
    write: () => undefined,
    flush: async () => undefined,
    finish: async () => undefined,
  };
  let same = false;
  await fetchPart(source, { from, to: from }, discard, {
    onHead(head, link) {
      // A new link may lead to another host, whose validators differ.
      same = link.version > 0 ? head.total === storedVersion.total : isSameVersion(storedVersion, head) === true;
    },
    onPosition: () => undefined,
    onDecoded: () => undefined,
  });
  return same;
}

async function writeContent(
  { run, name }: MediaResource,
  content: Buffer,
  { slot: { file, offset, size, complete }, sizeGuard, proofs, openHeld }: Progress,
): Promise<void> {
  sizeGuard.check(content.length);
  size.resolve(content.length);
  const proof = createArrivalProof(name);
  const writer = proof.writerTo((onWritten) => createHoldingWriter(file, offset, openHeld(), onWritten));
  await writer.write(0, content);
  await writer.finish();
  proofs.push({ proof, path: run.path, at: await offset, bytes: content.length });
  await complete(content.length);
}

interface Progress {
  readonly slot: FileSlot;
  readonly signal: AbortSignal;
  /** Counts what the resource has on the disk. */
  readonly sizeGuard: SizeGuard;
  readonly tally: { seconds: number };
  /** Total duration of all resources. */
  readonly seconds: number;
  readonly sharedResources: SharedResources;
  /** The proofs of the resources that are stored. */
  readonly proofs: ResourceProof[];
  /** Holds the bytes of a resource until its offset is known. */
  readonly openHeld: () => HeldBytes;
}

/** A stored resource, and the proof of its bytes, whose positions start at 0. */
interface ResourceProof {
  readonly proof: ArrivalProof;
  readonly path: string;
  /** Start offset in the file. */
  readonly at: number;
  readonly bytes: number;
}

/** Verifies all resources after the last write to their files. The engine may have read them already. */
async function verifyResources(proofs: readonly ResourceProof[], signal: AbortSignal): Promise<void> {
  await withStoredBytes(signal, async (stored) => {
    for (const { proof, path, at, bytes } of proofs) {
      await proof.verify({ from: 0, end: bytes }, partsIn(path, at), stored);
    }
  });
}

async function reuseResource(
  download: SegmentsDownload,
  resource: MediaResource,
  { at, bytes, sum, version }: StoredResource,
  { slot, sizeGuard, tally, seconds, proofs, sharedResources, signal }: Progress,
): Promise<void> {
  const { run, url, name, duration } = resource;
  const { path, sourceFor } = run;
  const source = { ...sourceFor(url, name), signal };
  const shared = sharedRange(resource, source);
  if (shared !== undefined) sharedResources.add({ ...shared, bytes, sum, ...rewriting(resource, source) }, version);
  slot.size.resolve(bytes);
  if ((await slot.offset) !== at) throw new SourceChanged(`${name} is at a different position than before`);
  const proof = createArrivalProof(source.name, { storedRanges: [{ from: 0, end: bytes, sum }] });
  proofs.push({ proof, path, at, bytes });
  tally.seconds += duration;
  sizeGuard.check(bytes);
  await slot.complete(bytes);
  download.onProgress(fractionOf(tally.seconds, seconds));
}

async function fetchResource(
  download: SegmentsDownload,
  resource: MediaResource,
  progress: Progress,
  onDone: (result: StoredResource) => void,
): Promise<void> {
  const { sizeGuard, tally } = progress;
  const { run } = resource;
  const { file, offset, size, complete } = progress.slot;
  const source = { ...run.sourceFor(resource.url, resource.name), signal: progress.signal, turn: offset };
  const part = rangeOf(resource);
  const length = part.to === undefined ? undefined : part.to - part.from + 1;
  let acceptedHead: PartHead | undefined;
  let acceptedLink = 0;
  let lastPosition = part.from;
  /** Number of bytes that the segment has before a prefix is left out. */
  let receivedBytes: number | undefined;
  let prefixBytes: number | undefined;
  const onStart = (prefix: number) => {
    if (prefix !== (prefixBytes ?? prefix)) throw new SourceChanged(`${source.name} begins differently`);
    prefixBytes = prefix;
    if (receivedBytes !== undefined) size.resolve(receivedBytes - prefix);
  };
  const secondsUntil = (position: number) => {
    const total = length ?? acceptedHead?.total;
    return total === undefined ? 0 : fractionOf(position - part.from, total) * resource.duration;
  };
  try {
    const cipher = await run.keys.cipherFor(resource.keys, resource.sequence, run.sourceFor);
    const proof = createArrivalProof(source.name);
    const fileWriter = proof.writerTo((onWritten) => createHoldingWriter(file, offset, progress.openHeld(), onWritten));
    const writer = createSegmentWriter(fileWriter, { source, first: part.from, cipher, onStart });
    const observer: PartObserver = {
      onHead(head, link) {
        // An empty response is ignored: the segment is requested again.
        if (head.total === 0) return;
        if (acceptedHead !== undefined) checkNextHead(source, acceptedHead, head, { link, acceptedLink });
        acceptedHead = head;
        acceptedLink = link.version;
        // The size after decryption or decoding is different, and only known at the end.
        if (cipher === undefined && head.coding === undefined) receivedBytes = length ?? head.total;
      },
      onPosition(position) {
        tally.seconds += secondsUntil(position) - secondsUntil(lastPosition);
        lastPosition = position;
        sizeGuard.check(position - part.from);
        download.onProgress(fractionOf(tally.seconds, progress.seconds));
      },
      onDecoded: (bytes) => sizeGuard.check(bytes),
    };
    const shared = sharedRange(resource, source);
    const isRange = shared && (await progress.sharedResources.fetch(shared, writer, observer));
    if (shared === undefined) await fetchPart(source, part, writer, observer);
    const bytes = writer.bytesWritten;
    size.resolve(bytes);
    const version = acceptedHead && resourceVersionOf(acceptedHead);
    const at = await offset;
    const [{ sum } = {}, ...others] = proof.storedRanges();
    const isSummed = sum !== undefined && others.length === 0;
    if (shared !== undefined && isRange === true) {
      progress.sharedResources.add({
        ...shared,
        bytes,
        sum: isSummed ? sum : undefined,
        ...rewriting(resource, source),
      });
    }
    if (version !== undefined && isSummed && isRange !== false) onDone({ at, bytes, sum, version });
    progress.proofs.push({ proof, path: run.path, at, bytes });
    await complete(bytes);
  } catch (error) {
    size.reject(error);
    throw error;
  }
}

/** Returns the byte range that a segment is, if it is one. */
function sharedRange(resource: MediaResource, source: Source): SharedRange | undefined {
  const { from, to } = rangeOf(resource);
  return to === undefined ? undefined : { source, url: resource.url, from, to };
}

/** Returns how the bytes of a segment are made again of those of its byte range. */
function rewriting(resource: MediaResource, source: Source) {
  return {
    async openWriter(destination: ByteWriter) {
      const { keys, sourceFor } = resource.run;
      const cipher = await keys.cipherFor(resource.keys, resource.sequence, sourceFor);
      const first = rangeOf(resource).from;
      return createSegmentWriter(destination, { source, first, cipher, onStart: () => undefined });
    },
  };
}

/**
 * Checks that a further response to a segment fits the part of the file that the first one has reserved: the size of the
 * segment may have placed the segments after it. `fetch-part.ts` compares the versions.
 *
 * @throws SourceChanged
 */
function checkNextHead(
  { name }: Source,
  known: PartHead,
  next: PartHead,
  { link, acceptedLink }: { link: LinkState; acceptedLink: number },
): void {
  if (known.total !== undefined && known.total !== next.total) throw new SourceChanged(`${name} has a new size`);
  if (link.version !== acceptedLink && !isSameMedia(known, next, link)) {
    throw new SourceChanged(`${name} is different at its new link`);
  }
}
