import { errorCatalogue, MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { Extracted } from '../extract.ts';
import type { ExtractionMetrics } from '../metrics-port.ts';
import type { Question } from '../question.ts';
import { createWindow, type Outcome, type Tally, type Window } from './window.ts';

const MINUTE_MS = 60_000;

/** A source fails often when so many of its requests of the last minutes failed; fewer requests say nothing. */
const OFTEN = 0.2;
const MIN_REQUESTS = 10;

/** Asks a site. */
export type AskSite = (question: Question, signal: AbortSignal) => Promise<Extracted>;

/** The extractions of something. */
export interface Traffic {
  /** The last 15 minutes, by minutes. */
  readonly recent: Window;
  /** The last 24 hours, by quarters of an hour. */
  readonly day: Window;
}

/** The extractions of a platform, and of each of its endpoints by path. */
export interface PlatformTraffic extends Traffic {
  readonly endpoints: ReadonlyMap<string, Traffic>;
}

/** How the platforms answer, from real traffic: kept answers are none. */
export interface SourceHealth {
  /** The same, and every extraction is counted; those that were given up because nobody waited any more are not. */
  watch(ask: AskSite): AskSite;
  /** What callers are told of a platform that fails often. */
  note(platform: string): string | undefined;
  /** By the platform's id. */
  readonly traffic: ReadonlyMap<string, PlatformTraffic>;
}

/** Starts without any traffic. */
export function createSourceHealth(
  platforms: readonly Platform[],
  metrics: Pick<ExtractionMetrics, 'extraction'>,
): SourceHealth {
  const traffic = new Map(platforms.map((platform) => [platform.id, platformTraffic(platform)]));
  /** What {@link noteOf} said of platforms, until an extraction is counted or the minute ends: every answer asks for it. */
  const notes = new Map<string, { readonly note: string | undefined; readonly minute: number }>();

  function count({ platform, endpoint }: Question, outcome: Outcome, milliseconds: number): void {
    metrics.extraction({ platform, endpoint: endpoint.path }, outcome, milliseconds);
    const counted = traffic.get(platform);
    notes.delete(platform);
    for (const each of [counted, counted?.endpoints.get(endpoint.path)]) {
      each?.recent.count(outcome, milliseconds);
      each?.day.count(outcome, milliseconds);
    }
  }

  function noteOf(platform: string): string | undefined {
    const stretches = traffic.get(platform)?.recent.stretches() ?? [];
    const first = stretches.findIndex((one) => failuresOf(one) > 0);
    const since = first < 0 ? [] : stretches.slice(first);
    const [failures, requests] = [total(since.map(failuresOf)), total(since.map(requestsOf))];
    if (requests < MIN_REQUESTS || failures / requests < OFTEN) return undefined;
    const time = new Date(since[0]?.from ?? 0).toISOString().slice(11, 16);
    return `${platform} has failed for ${Math.round((100 * failures) / requests)} % of requests since ${time} UTC.`;
  }

  return {
    traffic,
    watch: (ask) => async (question, signal) => {
      const begun = performance.now();
      let outcome: Outcome | undefined = 'success';
      try {
        return await ask(question, signal);
      } catch (error) {
        outcome = outcomeOf(error, signal);
        throw error;
      } finally {
        if (outcome !== undefined) count(question, outcome, performance.now() - begun);
      }
    },
    note(platform) {
      const minute = Math.floor(Date.now() / MINUTE_MS);
      const known = notes.get(platform);
      if (known?.minute === minute) return known.note;
      const note = noteOf(platform);
      notes.set(platform, { note, minute });
      return note;
    },
  };
}

/** Whether an outcome is the source's fault, and not a lasting word about what was asked for. */
export function isFailure(outcome: Outcome): boolean {
  if (outcome === 'success') return false;
  const { origin, retryable } = errorCatalogue[outcome];
  return origin === 'source' && retryable;
}

/** How many extractions there were. */
export function requestsOf({ outcomes }: Tally): number {
  return total([...outcomes.values()]);
}

/** How many of them failed through the source's fault. */
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
  return { recent: createWindow(MINUTE_MS, 15), day: createWindow(15 * MINUTE_MS, 96) };
}

/** What an extraction has come to that threw; undefined where that says nothing of the source. */
function outcomeOf(error: unknown, signal: AbortSignal): Outcome | undefined {
  if (signal.aborted) {
    const { reason } = signal;
    return reason instanceof MillraceError && reason.code === 'operation_timeout' ? reason.code : undefined;
  }
  const { code, origin } = toMillraceError(error);
  // Neither wrong parameters nor a country without an exit reach the source.
  return origin === 'request' || code === 'unsupported_proxy_for_geo_targeting' ? undefined : code;
}
