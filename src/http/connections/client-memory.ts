import { totalmem } from 'node:os';
import type { RefusalReason } from './bounded-pool.ts';

const MIB = 1024 * 1024;
/** Portion of the memory of the machine or the container that requests of clients can hold by default. */
const MEMORY_SHARE = 1 / 4;
const MIN_DEFAULT = 64 * MIB;
const MAX_DEFAULT = 1024 * MIB;
/** Portion of the budget that one client can hold, and the most that it ever needs. */
const CLIENT_SHARE = 1 / 4;
const MAX_PER_CLIENT = 64 * MIB;

/** The memory that one request holds for its client. */
export interface RequestMemory {
  /**
   * Changes the number of bytes that the request holds. Returns why the budget does not allow it, and then changes
   * nothing. Fewer bytes are always allowed.
   */
  resize(bytes: number): RefusalReason | undefined;
  /** Ends the request: it holds nothing, and will not again. */
  release(): void;
  /** Returns how many more bytes this request and others can hold until half of a budget is used; at least 0. */
  spare(): number;
}

/** A budget of bytes that requests hold for clients: for the process, and for each client. */
export interface ClientMemory {
  /** Bytes that are held. */
  readonly used: number;
  /** Number of clients that hold bytes. */
  readonly clients: number;
  /**
   * Begins to count what a request holds, which is nothing at first.
   *
   * @param client The client whose budget it uses; undefined for a proxy that names no client.
   */
  open(client: string | undefined): RequestMemory;
}

/**
 * Creates a budget of `limit` bytes, of which one client can hold a quarter, and at most 64 MiB.
 *
 * @param onRefused Called when a request cannot hold more.
 */
export function createClientMemory(
  limit: number,
  onRefused: (client: string | undefined) => void = () => undefined,
): ClientMemory {
  const perClient = Math.min(limit * CLIENT_SHARE, MAX_PER_CLIENT);
  const usedBy = new Map<string, number>();
  let used = 0;

  function open(client: string | undefined): RequestMemory {
    let held = 0;
    let isReleased = false;
    const most = client === undefined ? limit : perClient;
    const usedByClient = () => (client === undefined ? used : (usedBy.get(client) ?? 0));

    function resize(bytes: number): RefusalReason | undefined {
      const more = isReleased ? 0 : bytes - held;
      const isFull = more > 0 && used + more > limit;
      if (isFull || (more > 0 && usedByClient() + more > most)) {
        onRefused(client);
        return isFull ? 'full' : 'share';
      }
      held += more;
      used += more;
      if (client === undefined) return undefined;
      const total = usedByClient() + more;
      if (total === 0) usedBy.delete(client);
      else usedBy.set(client, total);
      return undefined;
    }

    return {
      resize,
      release() {
        resize(0);
        isReleased = true;
      },
      spare: () => Math.max(0, Math.min(limit / 2 - used, most / 2 - usedByClient())),
    };
  }

  return {
    get used() {
      return used;
    },
    get clients() {
      return usedBy.size;
    },
    open,
  };
}

/** Returns the default of `CLIENT_MEMORY` in bytes: a quarter of the memory that the process can use. */
export function defaultClientMemory(memory = availableMemory()): number {
  return Math.min(MAX_DEFAULT, Math.max(MIN_DEFAULT, memory * MEMORY_SHARE));
}

/** Returns the memory of the container, or else of the machine. */
function availableMemory(): number {
  // 0 if it is not known; more than the machine has if there is no limit.
  const constrained = process.constrainedMemory();
  return Math.min(totalmem(), constrained > 0 ? constrained : Number.POSITIVE_INFINITY);
}
