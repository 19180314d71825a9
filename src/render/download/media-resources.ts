import { createHash } from 'node:crypto';
import type { InitializationSection, Segment } from '../../hls/media-playlist.ts';
import type { Steps } from '../../waiting/steps.ts';
import type { FileSegments } from './file-progress.ts';
import type { KeyStore } from './segment-keys.ts';
import type { RangeRequest, Source } from './source-request.ts';

/** Segments of a playlist that go into one file. */
export interface SegmentRun {
  /** Returns the source of the resource at a URL of the playlist; `name` is for messages. */
  readonly sourceFor: (url: string, name: string) => Source;
  readonly segments: readonly Segment[];
  /** The sequence number of the playlist's first segment, which messages call segment 1. */
  readonly firstSequence: number;
  /** Number of segments in the whole playlist. */
  readonly totalSegments: number;
  readonly keys: KeyStore;
  readonly path: string;
  /** Start time of the run's first segment, and total duration of the run, in seconds. */
  readonly start: number;
  readonly duration: number;
  /** Bytes that its file begins with, before the first resource of the source. */
  readonly setup?: Buffer | undefined;
}

/** A media segment, or the initialization section that a player reads before it (RFC 8216 §3). */
export interface MediaResource {
  readonly run: SegmentRun;
  /** Its index among the resources of the run's file. */
  readonly order: number;
  readonly name: string;
  readonly url: string;
  readonly byteRange?: Segment['byteRange'];
  readonly keys: Segment['keys'];
  readonly sequence: number;
  /** Start time in seconds. */
  readonly start: number;
  /** Whether it is a segment rather than an initialization section. */
  readonly isSegment: boolean;
  /** In seconds; 0 for an initialization section. */
  readonly duration: number;
  /** Its bytes, if they need not be fetched. */
  readonly content?: Buffer;
}

/** Returns how messages name a segment. */
export function segmentName({ sequence }: Pick<Segment, 'sequence'>, firstSequence: number, inAll: number): string {
  return `Segment ${sequence - firstSequence + 1} of ${inAll}`;
}

/** Returns all resources in file order: an initialization section appears once, before its segments. */
export function* resourcesOf(run: SegmentRun): Steps<MediaResource[]> {
  const resources: MediaResource[] = [];
  let map: InitializationSection | undefined;
  let { start } = run;
  const [first] = run.segments;
  if (run.setup !== undefined && first !== undefined) {
    const { url, sequence } = first;
    const own = { url, keys: [], sequence, start, isSegment: false, duration: 0, content: run.setup };
    resources.push({ ...own, run, order: 0, name: 'The parameter sets' });
  }
  for (const segment of run.segments) {
    yield undefined;
    if (segment.map !== undefined && segment.map !== map) {
      map = segment.map;
      const name = 'The initialisation section';
      const { sequence } = segment;
      resources.push({ ...map, run, order: resources.length, name, sequence, start, isSegment: false, duration: 0 });
    }
    const name = segmentName(segment, run.firstSequence, run.totalSegments);
    resources.push({ ...segment, run, order: resources.length, start, name, isSegment: true });
    start += segment.duration;
  }
  return resources;
}

/** Returns the playlist's declarations about the segments of a run's file, which consists of these resources. */
export function* fileSegments(run: SegmentRun, resources: readonly MediaResource[]): Steps<FileSegments> {
  const [first] = run.segments;
  const relisted = yield* indexesOfRelisted(resources);
  return {
    first: (first?.sequence ?? run.firstSequence) - run.firstSequence + 1,
    inAll: run.totalSegments,
    seconds: resources.map(({ isSegment, duration }) => (isSegment ? duration : null)),
    ...(relisted.length === 0 ? {} : { relisted }),
  };
}

function* indexesOfRelisted(resources: readonly MediaResource[]): Steps<number[]> {
  const listed = new Set<string>();
  const relisted: number[] = [];
  for (const { url, byteRange, order } of resources) {
    yield undefined;
    const key = byteRange === undefined ? url : `${url} ${byteRange.offset} ${byteRange.length}`;
    if (listed.has(key)) relisted.push(order);
    listed.add(key);
  }
  return relisted;
}

/** Returns the byte range of a resource within its URL. */
export function rangeOf({ byteRange }: MediaResource): RangeRequest {
  if (byteRange === undefined) return { from: 0 };
  return { from: byteRange.offset, to: byteRange.offset + byteRange.length - 1 };
}

/**
 * Returns a digest that identifies the media resources of files. Query strings are excluded: they contain signatures,
 * which differ each time a playlist is fetched.
 */
export function* digestOfResources(files: readonly (readonly MediaResource[])[]): Steps<string> {
  // Hashed one by one: the joined text would be many times as large as the playlist.
  const hash = createHash('sha256');
  for (const resources of files) {
    hash.update(`${resources.length} pieces\n`);
    for (const resource of resources) {
      hash.update(`${JSON.stringify(describeResource(resource))}\n`);
      yield undefined;
    }
  }
  return hash.digest('hex');
}

/** The properties of a media resource that identify it. */
export type ResourceDescription = Pick<
  MediaResource,
  'url' | 'byteRange' | 'keys' | 'sequence' | 'duration' | 'content'
>;

/** Returns the values that identify a media resource, without query strings. */
export function describeResource({
  url,
  byteRange,
  keys,
  sequence,
  duration,
  content,
}: ResourceDescription): unknown[] {
  return [
    withoutQuery(url),
    byteRange ?? null,
    keys.map(({ method, url: key, iv }) => [method, withoutQuery(key ?? ''), iv && Buffer.from(iv).toString('hex')]),
    sequence,
    duration,
    ...(content === undefined ? [] : [createHash('sha256').update(content).digest('hex')]),
  ];
}

/** Whether two initialization sections contain the same bytes. Keys may differ. */
export function isSameMap(one: Segment['map'], other: Segment['map']): boolean {
  const [range, otherRange] = [one?.byteRange, other?.byteRange];
  return one?.url === other?.url && range?.offset === otherRange?.offset && range?.length === otherRange?.length;
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
