import { LRUCache } from 'lru-cache';
import { type Caller, isVisitor } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { CacheLookup, ExtractionMetrics } from '../metrics-port.ts';
import type { HasRefusedMedia } from '../refused-media.ts';
import type { SourceQuery } from '../request/source-query.ts';
import type { FetchSource, SourceExtraction } from '../source/extract.ts';
import { heapSize } from './heap-size.ts';
import { createSingleFlight } from './single-flight.ts';
import { isCacheableRefusal, REFUSAL_TTL_MS, timeToLive } from './time-to-live.ts';

/** Bytes of an entry apart from its content: its key, its slot in the cache, its timer, an error's stack. */
const BYTES_PER_ENTRY = 1_000;

/** The result of a source query, and how long it may be served; times are milliseconds since 1970. */
export interface SourceResult {
  readonly extraction: SourceExtraction;
  readonly fetchedAt: number;
  /** Not after `fetchedAt` if the result must not be reused. */
  readonly expiresAt: number;
  /** Whether it came from the cache. */
  readonly isCached: boolean;
}

/** Options of the cache. */
interface ResultCacheOptions {
  readonly fetchSource: FetchSource;
  /** Maximum bytes of cached results; 0 disables caching. */
  readonly bytes: number;
  readonly metrics: Pick<ExtractionMetrics, 'cacheLookup' | 'resultCache'>;
  /** Whether a cached result must not be served any more. Default: until it expires, none. */
  readonly isOutdated?: HasRefusedMedia;
}

/**
 * Caches results of source queries, before plan, key, links and price are applied. Concurrent callers with the same
 * query share one extraction, and later ones its result for two minutes. Callers with a key do not join extractions of
 * visitors.
 */
export interface ResultCache {
  /**
   * Returns a result from the cache or from the source.
   *
   * @param disconnected Aborted when the caller disconnects. The extraction continues while another caller waits for
   * it.
   * @param noCache Whether to ignore cached results.
   * @param onLookup Receives how the result is obtained.
   * @throws MillraceError as {@link ResultCacheOptions.fetchSource}; `operation_timeout` after 25 s.
   */
  fetch(
    query: SourceQuery,
    caller: Caller,
    disconnected: AbortSignal,
    noCache?: boolean,
    onLookup?: (lookup: CacheLookup) => void,
  ): Promise<SourceResult>;
  /** Returns a cached result. Undefined for a cached refusal: {@link fetch} throws it. */
  get(query: SourceQuery): SourceResult | undefined;
  /** Empties the cache. */
  close(): Promise<void>;
}

/** A cached result, or a cached refusal that the source would repeat. */
interface Entry {
  readonly outcome: SourceExtraction | MillraceError;
  readonly fetchedAt: number;
  readonly expiresAt: number;
  readonly bytes: number;
}

/** Creates an empty cache. */
export function createResultCache({
  fetchSource,
  bytes,
  metrics,
  isOutdated = () => false,
}: ResultCacheOptions): ResultCache {
  const singleFlight = createSingleFlight<Entry>();
  // Each entry has its own time to live, measured by the same clock as expiry times.
  const timing = { ttl: 1, ttlAutopurge: true, perf: Date };
  const cache = new LRUCache<string, Entry>({ maxSize: Math.max(1, bytes), sizeCalculation: sizeOf, ...timing });

  metrics.resultCache(() => ({ bytes: cache.calculatedSize, entries: cache.size }));

  function store(key: string, entry: Entry): Entry {
    const ttl = entry.expiresAt - entry.fetchedAt;
    if (ttl > 0) cache.set(key, entry, { ttl });
    return entry;
  }

  function find(query: SourceQuery): Entry | undefined {
    const entry = cache.get(query.key);
    if (entry === undefined || entry.outcome instanceof MillraceError) return entry;
    if (!isOutdated(query, entry.outcome, entry.fetchedAt)) return entry;
    cache.delete(query.key);
    return undefined;
  }

  async function fetchEntry(query: SourceQuery, caller: Caller, signal: AbortSignal): Promise<Entry> {
    try {
      return store(query.key, resultEntry(await fetchSource(query, caller, signal)));
    } catch (error) {
      if (isCacheableRefusal(error)) store(query.key, refusalEntry(error));
      throw error;
    }
  }

  return {
    async fetch(query, caller, disconnected, noCache = false, onLookup) {
      // A shared extraction waits in the queue of the caller who started it, and those of visitors may be long.
      const key = isVisitor(caller) ? `${query.key} visitor` : query.key;
      const cachedEntry = noCache ? undefined : find(query);
      const lookup = cachedEntry !== undefined ? 'hit' : singleFlight.isRunning(key) ? 'coalesced' : 'miss';
      metrics.cacheLookup(lookup);
      onLookup?.(lookup);
      const { outcome, fetchedAt, expiresAt } =
        cachedEntry ?? (await singleFlight.run(key, disconnected, (signal) => fetchEntry(query, caller, signal)));
      if (outcome instanceof MillraceError) throw outcome;
      return {
        extraction: outcome,
        fetchedAt,
        expiresAt: bytes === 0 ? fetchedAt : expiresAt,
        isCached: cachedEntry !== undefined,
      };
    },
    get(query) {
      const cachedEntry = find(query);
      if (cachedEntry === undefined || cachedEntry.outcome instanceof MillraceError) return undefined;
      metrics.cacheLookup('hit');
      const { outcome, fetchedAt, expiresAt } = cachedEntry;
      return { extraction: outcome, fetchedAt, expiresAt, isCached: true };
    },
    async close() {
      cache.clear();
    },
  };
}

function resultEntry(extraction: SourceExtraction): Entry {
  const outcome = copyViaJson(extraction);
  const fetchedAt = Date.now();
  // Twice: once for the result, once for the response bodies built from it (response/build-response.ts).
  const bytes = BYTES_PER_ENTRY + 2 * heapSize(outcome);
  return { outcome, fetchedAt, expiresAt: fetchedAt + timeToLive(outcome, fetchedAt), bytes };
}

function refusalEntry(error: MillraceError): Entry {
  const { code, message, status, retryable, parameter, reason, detail } = error;
  const facts = copyViaJson({ status, retryable, parameter, reason, detail });
  // Members that were undefined are missing in the copy.
  const options = facts as ConstructorParameters<typeof MillraceError>[2];
  const outcome = new MillraceError(code, copyViaJson(message), options);
  const fetchedAt = Date.now();
  const bytes = 2 * BYTES_PER_ENTRY + heapSize([message, facts]);
  return { outcome, fetchedAt, expiresAt: fetchedAt + REFUSAL_TTL_MS, bytes };
}

/** Copies data through JSON: strings sliced out of a page would keep the whole page in memory. */
function copyViaJson<T>(data: T): T {
  return JSON.parse(JSON.stringify(data)) as T;
}

function sizeOf({ bytes }: Entry): number {
  return bytes;
}
