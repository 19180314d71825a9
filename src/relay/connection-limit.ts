import type { Logger } from 'pino';
import { createGatherer } from '../accounts/gather.ts';
import type { Claim, SharedPlaces } from '../accounts/shared-places.ts';
import { MillraceError } from '../contract/errors.ts';

const RENEW_INTERVAL_MS = 1_000;
/** A connection waits no longer for word of the other nodes: the relay is faster than a database that is in trouble. */
const PATIENCE_MS = 500;

/** Counts the open connections of each account. */
export interface ConnectionLimit {
  /**
   * Counts one in, and returns what counts it out again.
   *
   * @throws MillraceError `rate_limited` where the account has too many.
   */
  take(owner: string): Promise<() => void>;
  close(): Promise<void>;
}

/** What this node has of an account. */
interface Holding {
  /** Connections that are open, and those that wait for a place. */
  open: number;
  asking: number;
  /** Places that the other nodes know of: what is open, and what was closed a moment ago. */
  places: number;
}

interface Asking {
  readonly owner: string;
  readonly holding: Holding;
  readonly outcome: PromiseWithResolvers<() => void>;
}

/** The places that nodes share, and how long a connection waits for one; default half a second. */
export interface Sharing {
  readonly places: SharedPlaces;
  readonly log: Logger;
  readonly patience?: number;
}

/**
 * Lets each account have so many connections at once: of this node, or of all nodes that share places. Then a node asks
 * for places when it has none free, for all who came at once together. Those of closed connections are there for the
 * next ones, until what is left is given back, once a second. While nobody answers, each node counts for itself.
 */
export function createConnectionLimit(most: number, sharing?: Sharing): ConnectionLimit {
  const holdings = new Map<string, Holding>();
  let alone = sharing === undefined;
  const gatherer = createGatherer<Asking | 'renewal'>(serve);
  const timer = setInterval(() => {
    if (sharing !== undefined && (alone || holdings.size > 0)) gatherer.add('renewal');
  }, RENEW_INTERVAL_MS);
  timer.unref();

  function enter(owner: string, holding: Holding): () => void {
    holding.open += 1;
    return () => {
      holding.open -= 1;
      forget(owner, holding);
    };
  }

  function forget(owner: string, { open, asking, places }: Holding): void {
    if (open + asking === 0 && (alone || places === 0)) holdings.delete(owner);
  }

  async function serve(items: readonly (Asking | 'renewal')[]): Promise<void> {
    if (sharing === undefined) return;
    const { places, log, patience = PATIENCE_MS } = sharing;
    const asking = items.filter((item) => item !== 'renewal');
    const settle = (hasPlace: (holding: Holding) => boolean) => {
      for (const { owner, holding, outcome } of asking.splice(0)) {
        holding.asking -= 1;
        if (hasPlace(holding)) outcome.resolve(enter(owner, holding));
        else outcome.reject(tooMany(most));
      }
    };
    const countAlone = (error: unknown) => {
      if (!alone) log.warn({ err: error }, 'relay connections are counted by each node for itself for now');
      alone = true;
      settle(() => true);
    };
    const owners = new Set(items.includes('renewal') ? holdings.keys() : asking.map(({ owner }) => owner));
    const late = setTimeout(() => countAlone(new Error('the database does not answer')), patience);
    try {
      const held = await places.hold([...owners].flatMap(claim));
      if (alone) log.info('relay connections are counted for all nodes together again');
      alone = false;
      for (const owner of owners) {
        const holding = holdings.get(owner);
        if (holding !== undefined) holding.places = held.get(owner) ?? 0;
      }
      settle(({ open, places }) => open < places);
    } catch (error) {
      countAlone(error);
    } finally {
      clearTimeout(late);
    }
    for (const [owner, holding] of holdings) forget(owner, holding);
  }

  /** Gives back what is free, so that nobody takes it while the answer is on its way. */
  function claim(owner: string): Claim[] {
    const holding = holdings.get(owner);
    if (holding === undefined) return [];
    holding.places = holding.open;
    return [{ owner, held: holding.open, wanted: holding.asking }];
  }

  return {
    async take(owner) {
      const holding = holdings.get(owner) ?? { open: 0, asking: 0, places: 0 };
      const { open, asking, places } = holding;
      if (open + asking >= most) throw tooMany(most);
      holdings.set(owner, holding);
      if (alone || open + asking < places) return enter(owner, holding);
      holding.asking += 1;
      const outcome = Promise.withResolvers<() => void>();
      gatherer.add({ owner, holding, outcome });
      return outcome.promise;
    },
    async close() {
      clearInterval(timer);
      await gatherer.close();
      await sharing?.places.leave().catch((error: unknown) => {
        sharing.log.warn({ err: error }, 'places of relay connections are free only when they expire');
      });
    },
  };
}

function tooMany(most: number): MillraceError {
  const message = `Your key has ${most} relay connections open, which is as many as it may have. Close some.`;
  return new MillraceError('rate_limited', message);
}
