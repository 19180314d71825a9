import { LRUCache } from 'lru-cache';
import { MillraceError } from '../contract/errors.ts';
import type { Extracted } from './extract.ts';
import { createFlights } from './flights.ts';
import { isLasting, lifetimeOf, REFUSAL_LIFE_MS } from './lifetime.ts';
import { memorySize } from './memory-size.ts';
import type { ExtractionMetrics } from './metrics-port.ts';
import type { Question } from './question.ts';

/** Bytes of an entry itself: its key, its place in the cache, its timer, an error's stack. */
const BYTES_PER_ENTRY = 1_000;

/** What a site answered, and how long that may be handed out; times are milliseconds since 1970. */
export interface Answer {
  readonly extraction: Extracted;
  /** When it came from the site. */
  readonly at: number;
  /** Not after `at` where it is good for this once. */
  readonly goodUntil: number;
  /** Whether it was kept from an earlier question. */
  readonly kept: boolean;
}

/** What the cache needs. */
export interface AnswersOptions {
  /** Asks the site. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Extracted>;
  /** Bytes that kept answers may take; with 0 none is kept. */
  readonly bytes: number;
  readonly metrics: Pick<ExtractionMetrics, 'answerFound' | 'answerCache'>;
}

/**
 * The answers of sites, before plan, key, links and price come in. Callers who ask the same share one extraction, and
 * its answer for two minutes.
 */
export interface Answers {
  /**
   * @param caller Aborted when the one who asks is gone. The extraction goes on as long as another waits for it.
   * @param fresh Whether a kept answer will not do.
   * @throws MillraceError as {@link AnswersOptions.ask}; `operation_timeout` after 25 s.
   */
  find(question: Question, caller: AbortSignal, fresh?: boolean): Promise<Answer>;
  /** The kept answer, where there is one. */
  kept(question: Question): Answer | undefined;
  /** Forgets every kept answer. */
  close(): Promise<void>;
}

/** A kept answer, or the refusal that the site would repeat. */
interface Kept {
  readonly outcome: Extracted | MillraceError;
  readonly at: number;
  readonly goodUntil: number;
  readonly bytes: number;
}

/** Opens an empty cache. */
export function createAnswers({ ask, bytes, metrics }: AnswersOptions): Answers {
  const flights = createFlights<Kept>();
  // Each entry has its own time to live, on the clock that expiries are told by.
  const timing = { ttl: 1, ttlAutopurge: true, perf: Date };
  const cache = new LRUCache<string, Kept>({ maxSize: Math.max(1, bytes), sizeCalculation: sizeOf, ...timing });

  metrics.answerCache(() => ({ bytes: cache.calculatedSize, entries: cache.size }));

  function keep(key: string, kept: Kept): Kept {
    const ttl = kept.goodUntil - kept.at;
    if (ttl > 0) cache.set(key, kept, { ttl });
    return kept;
  }

  async function askSite(question: Question, signal: AbortSignal): Promise<Kept> {
    try {
      return keep(question.key, answerToKeep(await ask(question, signal)));
    } catch (error) {
      if (error instanceof MillraceError && isLasting(error)) keep(question.key, refusalToKeep(error));
      throw error;
    }
  }

  return {
    async find(question, caller, fresh = false) {
      const { key } = question;
      const found = fresh ? undefined : cache.get(key);
      metrics.answerFound(found !== undefined ? 'hit' : flights.has(key) ? 'coalesced' : 'miss');
      const { outcome, at, goodUntil } =
        found ?? (await flights.join(key, caller, (signal) => askSite(question, signal)));
      if (outcome instanceof MillraceError) throw outcome;
      return { extraction: outcome, at, goodUntil: bytes === 0 ? at : goodUntil, kept: found !== undefined };
    },
    kept({ key }) {
      const found = cache.get(key);
      if (found === undefined || found.outcome instanceof MillraceError) return undefined;
      metrics.answerFound('hit');
      const { outcome, at, goodUntil } = found;
      return { extraction: outcome, at, goodUntil, kept: true };
    },
    async close() {
      cache.clear();
    },
  };
}

function answerToKeep(extraction: Extracted): Kept {
  const outcome = detached(extraction);
  const at = Date.now();
  // As much again for the text that is made of it (kept-answer.ts).
  const bytes = BYTES_PER_ENTRY + 2 * memorySize(outcome);
  return { outcome, at, goodUntil: at + lifetimeOf(outcome, at), bytes };
}

function refusalToKeep(error: MillraceError): Kept {
  const { code, message, status, retryable, parameter, reason, detail } = error;
  const facts = detached({ status, retryable, parameter, reason, detail });
  // What was undefined is not there any more.
  const options = facts as ConstructorParameters<typeof MillraceError>[2];
  const outcome = new MillraceError(code, detached(message), options);
  const at = Date.now();
  const bytes = 2 * BYTES_PER_ENTRY + memorySize([message, facts]);
  return { outcome, at, goodUntil: at + REFUSAL_LIFE_MS, bytes };
}

/** Texts that were cut out of a page hold all of it in memory; what is read anew from JSON holds nothing else. */
function detached<T>(data: T): T {
  return JSON.parse(JSON.stringify(data)) as T;
}

function sizeOf({ bytes }: Kept): number {
  return bytes;
}
