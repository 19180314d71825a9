import { isSameVersion, type VersionFacts } from '../../egress/validator.ts';
import { openForWriting } from '../../files/open-file.ts';
import { removeFile } from '../../files/remove-tree.ts';
import { createConcurrencyLimit } from '../../waiting/concurrency-limit.ts';
import { createArrivalProof } from './arrival-proof.ts';
import { trackArrivedRanges } from './arrived-ranges.ts';
import { fetchPart, type PartObserver, rangePastEnd } from './fetch-part.ts';
import { fetchStream } from './fetch-stream.ts';
import type { ByteWriter } from './file-writer.ts';
import type { LinkState } from './links/source-link.ts';
import type { SizeGuard } from './size-guard.ts';
import { type PartHead, RangesUnsupported, type Source, SourceChanged } from './source-request.ts';
import { partsIn, withStoredBytes } from './stored-bytes.ts';

/** Maximum number of restarts if a resource changes while it is fetched. */
const maxRestarts = 2;

/** Maximum number of resources that are fetched as a whole at the same time: that of the video and that of the audio. */
const maxConcurrentWholes = 2;

/** Size in bytes of a read for a segment. Several segments may wait for their place, each with a buffer of this size. */
const COPY_BYTES = 256 * 1024;

/** A byte range of a resource, which is one segment among others of the same resource. */
export interface SharedRange {
  readonly source: Source;
  /** URL of the resource in the playlist. */
  readonly url: string;
  /** Position of its first byte, and of its last one. */
  readonly from: number;
  readonly to: number;
}

/** A byte range that has been fetched. */
interface FetchedRange extends SharedRange {
  /** Number and sum of the bytes that were made of it. */
  readonly bytes: number;
  readonly sum: string | undefined;
  /** Creates a writer that makes the same of it again. */
  readonly openWriter: (destination: ByteWriter) => ByteWriter | Promise<ByteWriter>;
}

/**
 * Fetches byte ranges of resources, all of which must be of one version. If a response is of another version or not a
 * range, its resource is fetched as a whole into a temporary file, and its ranges are taken from there. It may be the
 * same version: servers with several backends have different validators for the same bytes.
 */
export interface SharedResources {
  /**
   * Fetches a range, or takes it from the file. Returns whether it was fetched as a range.
   *
   * @throws MillraceError as in `fetch-part.ts`; RangesUnsupported or SourceChanged if the resource does not arrive as a
   * whole either.
   */
  fetch(range: SharedRange, writer: ByteWriter, observer: PartObserver): Promise<boolean>;
  /** Adds a range that was fetched as one, by an earlier process if `version` is given. */
  add(range: FetchedRange, version?: VersionFacts): void;
  /**
   * Compares the ranges with the resources that were fetched as a whole.
   *
   * @throws SourceChanged if they differ.
   */
  verify(): Promise<void>;
  /** Deletes the temporary files. */
  close(): Promise<void>;
}

/** Parameters of {@link createSharedResources}. */
interface SharedResourcesOptions {
  /** Path of the temporary files, without a number. */
  readonly stem: string;
  readonly signal: AbortSignal;
  /** Returns the guard of a temporary file, which counts together with what else the download writes. */
  readonly openGuard: () => SizeGuard;
}

interface Resource {
  /** What the first response through each link states, by the version of the link. */
  readonly versions: Map<number, VersionFacts>;
  readonly ranges: FetchedRange[];
  /** The whole resource in a file. */
  whole?: Promise<WholeResource>;
}

interface WholeResource {
  readonly path: string;
  readonly bytes: number;
}

/** Creates the shared resources of a download. */
export function createSharedResources({ stem, signal, openGuard }: SharedResourcesOptions): SharedResources {
  const resources = new Map<string, Resource>();
  const paths: string[] = [];
  const wholes = createConcurrencyLimit(maxConcurrentWholes);

  function resourceAt(url: string): Resource {
    const resource = resources.get(url) ?? { versions: new Map(), ranges: [] };
    resources.set(url, resource);
    return resource;
  }

  async function fetchWhole(source: Source): Promise<WholeResource> {
    const path = `${stem}-whole-${paths.length + 1}`;
    paths.push(path);
    const sizeGuard = openGuard();
    for (let restarts = 0; ; restarts += 1) {
      const file = await openForWriting(path, { keep: false });
      try {
        const arrivedRanges = trackArrivedRanges({ source, sizeGuard, onBytes: () => undefined });
        // The segments before this one may be in the same resource.
        const bytes = await fetchStream({ ...source, turn: undefined }, path, file, arrivedRanges);
        await file.truncate(bytes);
        return { path, bytes };
      } catch (error) {
        if (!(error instanceof SourceChanged) || restarts === maxRestarts) throw error;
      } finally {
        await file.close();
      }
    }
  }

  /** Passes a range of a whole resource to a writer. */
  async function copy(
    { source: { name }, from, to }: SharedRange,
    { path, bytes: total }: WholeResource,
    writer: ByteWriter,
    onPosition: (position: number) => void = () => undefined,
  ): Promise<void> {
    if (to >= total) throw rangePastEnd(name, to, total);
    await withStoredBytes(
      signal,
      async (stored) => {
        let position = from;
        for await (const chunk of stored.read(partsIn(path)({ from, end: to + 1 }))) {
          const at = position;
          position += chunk.length;
          onPosition(position);
          await writer.write(at, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
        }
        await writer.finish();
      },
      COPY_BYTES,
    );
  }

  async function isIn(whole: WholeResource, range: FetchedRange): Promise<boolean> {
    const proof = createArrivalProof(range.source.name);
    const writer = await range.openWriter(proof.writerTo(createDiscardingWriter));
    await copy(range, whole, writer);
    const [stored, ...others] = proof.storedRanges();
    return others.length === 0 && stored?.end === range.bytes && stored.sum === range.sum;
  }

  return {
    async fetch(range, writer, observer) {
      const { source, url, from, to } = range;
      const resource = resourceAt(url);
      if (resource.whole === undefined) {
        const onHead: PartObserver['onHead'] = (head, link, position) => {
          checkVersion(source, resource, head, link);
          observer.onHead(head, link, position);
        };
        try {
          await fetchPart(source, { from, to }, writer, { ...observer, onHead });
          return true;
        } catch (error) {
          if (!(error instanceof RangesUnsupported)) throw error;
        }
      }
      resource.whole ??= wholes.run(() => fetchWhole(source), signal);
      await copy(range, await resource.whole, writer, observer.onPosition);
      return false;
    },
    add(range, version) {
      const { versions, ranges } = resourceAt(range.url);
      ranges.push(range);
      const link = range.source.link.current.version;
      if (version !== undefined && !versions.has(link)) versions.set(link, version);
    },
    async verify() {
      for (const { whole, ranges } of resources.values()) {
        if (whole === undefined) continue;
        for (const range of ranges) {
          if (!(await isIn(await whole, range))) throw new SourceChanged(`${range.source.name} has a new version`);
        }
      }
    },
    async close() {
      for (const path of paths) await removeFile(path);
    },
  };
}

/** Throws RangesUnsupported for a response of another version than those before it. */
function checkVersion({ name }: Source, { versions }: Resource, head: PartHead, link: LinkState): void {
  const known = versions.get(link.version);
  const [first = {}] = versions.values();
  // Another link may lead to another host, whose validators differ.
  const isOther =
    known === undefined ? isSameVersion(sizeOf(first), sizeOf(head)) === false : isSameVersion(known, head) === false;
  if (isOther) throw new RangesUnsupported(`${name} is part of another file than the segments before it`);
  if (known === undefined) versions.set(link.version, head);
}

function sizeOf({ total }: VersionFacts): VersionFacts {
  return total === undefined ? {} : { total };
}

/** Creates a writer that keeps nothing. */
function createDiscardingWriter(
  onWritten: (range: { readonly from: number; readonly end: number }) => void,
): ByteWriter {
  return {
    write(position, chunk) {
      onWritten({ from: position, end: position + chunk.length });
      return undefined;
    },
    flush: async () => undefined,
    finish: async () => undefined,
  };
}
