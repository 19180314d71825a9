import { setImmediate } from 'node:timers/promises';
import type { UnreadKinds } from '../platforms/unread.ts';
import { ownAddresses } from './own-addresses.ts';
import { type PackedExchange, packExchange, unpackExchange } from './packed-exchange.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { scrubExchange } from './scrub.ts';
import { createVisitValues } from './visit-values.ts';

/** Maximum number of exchanges of a response. The last ones are kept. */
const MAX_EXCHANGES = 20;

/** Maximum size of a response in bytes, compressed. */
const MAX_RESPONSE_BYTES = 1_000_000;

/** Maximum number of responses that wait to be kept, each with all of its exchanges. Further ones are ignored. */
const MAX_WAITING = 3;

/** How long a response is kept. */
export const UNREAD_LIFETIME_MS = 24 * 3_600_000;

/** Time in which the same kinds of the same endpoint are kept only once, because one example is enough. */
const REPEAT_MS = 60_000;

/** An extraction whose response could not be read, or only in part. */
interface UnreadExtraction {
  readonly platform: string;
  /** Path of the endpoint, such as `/video/details`. */
  readonly endpoint: string;
  /** Entries that no parser recognised, by kind. The kind of a whole response is `response`. */
  readonly kinds: UnreadKinds;
}

/** A kept response. */
interface UnreadResponseInfo extends UnreadExtraction {
  readonly id: string;
  /** When it was kept, in ISO 8601. */
  readonly at: string;
  /** Number of exchanges. */
  readonly exchanges: number;
  /** Bytes of their JSON. */
  readonly size: number;
}

/** The last responses of sites that could not be read: in memory only, without secrets, for 24 hours. */
export interface UnreadResponses {
  /**
   * Keeps the exchanges of an extraction, unless its kinds were kept a moment ago or others still wait to be kept.
   * Returns immediately.
   *
   * @param exchanges Returns the exchanges of the last requests.
   */
  keep(extraction: UnreadExtraction, exchanges: (requests: number) => Iterable<RecordedExchange>): void;
  /** Returns the kept responses, newest first. */
  list(): readonly UnreadResponseInfo[];
  /** Returns the exchanges of a response; undefined if no response with this ID is kept, or no longer. */
  get(id: string): Promise<readonly RecordedExchange[] | undefined>;
}

interface KeptResponse {
  readonly info: UnreadResponseInfo;
  readonly exchanges: readonly PackedExchange[];
  readonly keptAt: number;
}

/**
 * Creates an empty list.
 *
 * @param size Maximum number of responses, each of which needs at most a megabyte. The oldest ones make room for the newest.
 * @param onError Receives the error that prevented a response from being kept.
 */
export function createUnreadResponses(size: number, onError: (error: unknown) => void): UnreadResponses {
  let responses: readonly KeptResponse[] = [];
  let lastId = 0;
  /** When kinds were last kept, by platform, endpoint and kinds. */
  const keptKinds = new Map<string, number>();
  const addresses = ownAddresses();
  let waiting = 0;
  let lastAdded = Promise.resolve();

  function evictExpired(): void {
    const now = Date.now();
    responses = responses.filter(({ keptAt }) => now - keptAt < UNREAD_LIFETIME_MS);
    for (const [key, keptAt] of keptKinds) if (now - keptAt >= REPEAT_MS) keptKinds.delete(key);
  }

  async function add(extraction: UnreadExtraction, exchanges: Iterable<RecordedExchange>): Promise<void> {
    const keptAt = Date.now();
    lastId += 1;
    const id = `${lastId}`;
    const packed: PackedExchange[] = [];
    const visit = createVisitValues();
    for (const exchange of exchanges) {
      packed.push(await packExchange(exchange, MAX_RESPONSE_BYTES, (whole) => scrubExchange(whole, addresses, visit)));
      // Other requests proceed in the meantime.
      await setImmediate();
    }
    const last = lastWithin(packed.slice(-MAX_EXCHANGES), MAX_RESPONSE_BYTES);
    const bytes = last.reduce((sum, each) => sum + each.size, 0);
    const info = { id, at: new Date(keptAt).toISOString(), ...extraction, exchanges: last.length, size: bytes };
    responses = [{ info, exchanges: last, keptAt }, ...responses].slice(0, size);
    setTimeout(evictExpired, UNREAD_LIFETIME_MS).unref();
  }

  return {
    keep(extraction, exchanges) {
      evictExpired();
      const key = JSON.stringify([extraction.platform, extraction.endpoint, Object.keys(extraction.kinds).toSorted()]);
      if (waiting >= MAX_WAITING || keptKinds.has(key) || keptKinds.size >= size) return;
      keptKinds.set(key, Date.now());
      waiting += 1;
      lastAdded = lastAdded
        .then(() => add(extraction, exchanges(MAX_EXCHANGES)))
        .catch(onError)
        .finally(() => {
          waiting -= 1;
        });
    },
    list() {
      evictExpired();
      return responses.map(({ info }) => info);
    },
    async get(id) {
      evictExpired();
      const response = responses.find(({ info }) => info.id === id);
      return response && (await Promise.all(response.exchanges.map(unpackExchange)));
    },
  };
}

/** Returns the last exchanges of a list that have at most this size together, and always the last one. */
function lastWithin(exchanges: readonly PackedExchange[], maxBytes: number): readonly PackedExchange[] {
  let bytes = 0;
  const fitting = exchanges.toReversed().filter(({ packed }, index) => {
    bytes += packed.length;
    return index === 0 || bytes <= maxBytes;
  });
  return fitting.toReversed();
}
