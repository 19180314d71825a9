import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { UnreadKinds } from '../../platforms/unread.ts';
import type { ExtractionMetrics } from '../metrics-port.ts';
import type { SourceQuery } from '../request/source-query.ts';
import type { FetchSource } from '../source/extract.ts';
import { createKindNames } from '../unread-kind-names.ts';
import { unreadOfError } from '../unread-of-error.ts';
import { countExtraction, type EndedExtraction, type Outcome } from './extraction-tally.ts';
import { frequentFailures } from './failures.ts';
import { emptyTraffic, MINUTE_MS, type Traffic } from './traffic.ts';

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
  metrics: Pick<ExtractionMetrics, 'extraction' | 'unread'>,
): SourceHealth {
  const traffic = new Map(platforms.map((platform) => [platform.id, platformTraffic(platform)]));
  const kindNames = new Map(platforms.map(({ id }) => [id, createKindNames()]));
  /**
   * Notes by platform, valid until an extraction is counted or the minute ends. They are cached because every response
   * needs one.
   */
  const notes = new Map<string, { readonly note: string | undefined; readonly minute: number }>();

  function count({ platform, endpoint }: SourceQuery, extraction: EndedExtraction): void {
    const labels = { platform, endpoint: endpoint.path };
    metrics.extraction(labels, extraction.outcome, extraction.milliseconds);
    for (const [kind, entries] of Object.entries(extraction.unread)) metrics.unread(labels, kind, entries);
    const platformCounts = traffic.get(platform);
    notes.delete(platform);
    for (const each of [platformCounts, platformCounts?.endpoints.get(endpoint.path)]) {
      if (each === undefined) continue;
      countExtraction(each.recent, extraction);
      countExtraction(each.day, extraction);
    }
  }

  function noteOf(platform: string): string | undefined {
    const platformCounts = traffic.get(platform);
    const failures = platformCounts && frequentFailures(platformCounts);
    if (failures === undefined) return undefined;
    const time = new Date(failures.since).toISOString().slice(11, 16);
    return `${platform} has failed for ${Math.round(100 * failures.rate)} % of requests since ${time} UTC.`;
  }

  return {
    traffic,
    instrument: (fetchSource) => async (query, caller, signal) => {
      const startedAt = performance.now();
      let outcome: Outcome | undefined = 'success';
      let unread: UnreadKinds | undefined;
      try {
        const extraction = await fetchSource(query, caller, signal);
        unread = extraction.unread;
        return extraction;
      } catch (error) {
        outcome = outcomeOf(error, signal);
        unread = unreadOfError(error);
        throw error;
      } finally {
        if (outcome !== undefined) {
          const milliseconds = performance.now() - startedAt;
          const named = unread === undefined ? {} : (kindNames.get(query.platform)?.(unread) ?? {});
          count(query, { outcome, milliseconds, unread: named });
        }
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

function platformTraffic({ endpoints }: Platform): PlatformTraffic {
  return { ...emptyTraffic(), endpoints: new Map(endpoints.map(({ path }) => [path, emptyTraffic()])) };
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
