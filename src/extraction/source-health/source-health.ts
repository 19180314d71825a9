import { errorCatalogue, MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { ExtractionMetrics } from '../metrics-port.ts';
import type { SourceQuery } from '../request/source-query.ts';
import type { FetchSource } from '../source/extract.ts';
import { createSlidingWindow, type Outcome, type SlidingWindow, type Tally } from './sliding-window.ts';

const MINUTE_MS = 60_000;

/**
 * Minimum portion of recent requests that failed, and minimum number of recent requests, for a source to count as
 * failing often.
 */
const FAILURE_THRESHOLD = 0.2;
const MIN_REQUESTS = 10;

/** Extractions by their outcomes. */
export interface Traffic {
  /** The last 15 minutes, by minutes. */
  readonly recent: SlidingWindow;
  /** The last 24 hours, by quarters of an hour. */
  readonly day: SlidingWindow;
}

/** The extractions of a platform, and of each of its endpoints by path. */
interface PlatformTraffic extends Traffic {
  readonly endpoints: ReadonlyMap<string, Traffic>;
}

/** Health of the platforms, measured by real traffic. Cached results do not count. */
export interface SourceHealth {
  /** Wraps `fetchSource` to count its extractions, except those abandoned because no caller was left. */
  instrument(fetchSource: FetchSource): FetchSource;
  /** Returns the note for callers of a platform that fails often. */
  note(platform: string): string | undefined;
  /** Traffic by platform ID. */
  readonly traffic: ReadonlyMap<string, PlatformTraffic>;
}

/** Creates the health of platforms, without any traffic yet. */
export function createSourceHealth(
  platforms: readonly Platform[],
  metrics: Pick<ExtractionMetrics, 'extraction'>,
): SourceHealth {
  const traffic = new Map(platforms.map((platform) => [platform.id, platformTraffic(platform)]));
  /**
   * Notes by platform, valid until an extraction is counted or the minute ends. They are cached because every response
   * needs one.
   */
  const notes = new Map<string, { readonly note: string | undefined; readonly minute: number }>();

  function count({ platform, endpoint }: SourceQuery, outcome: Outcome, milliseconds: number): void {
    metrics.extraction({ platform, endpoint: endpoint.path }, outcome, milliseconds);
    const platformCounts = traffic.get(platform);
    notes.delete(platform);
    for (const each of [platformCounts, platformCounts?.endpoints.get(endpoint.path)]) {
      each?.recent.count(outcome, milliseconds);
      each?.day.count(outcome, milliseconds);
    }
  }

  function noteOf(platform: string): string | undefined {
    const intervals = traffic.get(platform)?.recent.intervals() ?? [];
    const first = intervals.findIndex((one) => failuresOf(one) > 0);
    const since = first < 0 ? [] : intervals.slice(first);
    const [failures, requests] = [total(since.map(failuresOf)), total(since.map(requestsOf))];
    if (requests < MIN_REQUESTS || failures / requests < FAILURE_THRESHOLD) return undefined;
    const time = new Date(since[0]?.from ?? 0).toISOString().slice(11, 16);
    return `${platform} has failed for ${Math.round((100 * failures) / requests)} % of requests since ${time} UTC.`;
  }

  return {
    traffic,
    instrument: (fetchSource) => async (query, signal) => {
      const startedAt = performance.now();
      let outcome: Outcome | undefined = 'success';
      try {
        return await fetchSource(query, signal);
      } catch (error) {
        outcome = outcomeOf(error, signal);
        throw error;
      } finally {
        if (outcome !== undefined) count(query, outcome, performance.now() - startedAt);
      }
    },
    note(platform) {
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const existing = notes.get(platform);
      if (existing?.minute === minute) return existing.note;
      const note = noteOf(platform);
      notes.set(platform, { note, minute });
      return note;
    },
  };
}

/** Whether an outcome is the source's fault, and not a permanent refusal of the requested content. */
export function isFailure(outcome: Outcome): boolean {
  if (outcome === 'success') return false;
  const { origin, retryable } = errorCatalogue[outcome];
  return origin === 'source' && retryable;
}

/** Returns the number of extractions. */
export function requestsOf({ outcomes }: Tally): number {
  return total([...outcomes.values()]);
}

/** Returns the number of extractions that failed through the source's fault. */
export function failuresOf({ outcomes }: Tally): number {
  return total([...outcomes].map(([outcome, count]) => (isFailure(outcome) ? count : 0)));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function platformTraffic({ endpoints }: Platform): PlatformTraffic {
  return { ...emptyTraffic(), endpoints: new Map(endpoints.map(({ path }) => [path, emptyTraffic()])) };
}

function emptyTraffic(): Traffic {
  return { recent: createSlidingWindow(MINUTE_MS, 15), day: createSlidingWindow(15 * MINUTE_MS, 96) };
}

/** Returns the outcome of an extraction that threw; undefined if it says nothing about the source. */
function outcomeOf(error: unknown, signal: AbortSignal): Outcome | undefined {
  if (signal.aborted) {
    const { reason } = signal;
    return reason instanceof MillraceError && reason.code === 'operation_timeout' ? reason.code : undefined;
  }
  const { code, origin } = toMillraceError(error);
  // No request reached the source.
  return origin === 'request' || code === 'unsupported_proxy_for_geo_targeting' ? undefined : code;
}
