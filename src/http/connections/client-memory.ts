import { availableMemory } from '../../settings/available-memory.ts';
import type { RefusalReason } from './bounded-pool.ts';
import type { ClientNetworks } from './client-network.ts';
import { createNetworkTally } from './network-tally.ts';

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

/** A budget of bytes that requests hold for clients: for the process, and for each network of a client. */
export interface ClientMemory {
  /** Bytes that are held. */
  readonly used: number;
  /** Number of networks that hold bytes. */
  readonly networks: number;
  /**
   * Begins to count what a request holds, which is nothing at first.
   *
   * @param client The client whose budget it uses; undefined for a proxy that names no client.
   */
  open(client: ClientNetworks | undefined): RequestMemory;
}

/**
 * Creates a budget of `limit` bytes, of which one client can hold a quarter, and at most 64 MiB. A wider network can hold
 * more (`tierLimit` in `client-network.ts`), but at most half.
 *
 * @param onRefused Called when a request cannot hold more.
 */
export function createClientMemory(
  limit: number,
  onRefused: (client: ClientNetworks | undefined) => void = () => undefined,
): ClientMemory {
  const perClient = Math.min(limit * CLIENT_SHARE, MAX_PER_CLIENT);
  const byNetwork = createNetworkTally(perClient, limit / 2);
  let used = 0;

  function open(client: ClientNetworks | undefined): RequestMemory {
    let held = 0;
    let isReleased = false;
    /** Returns how much more can be held until a portion of each budget is used. */
    const spareOf = (portion: number) =>
      Math.min(limit * portion - used, client === undefined ? limit : byNetwork.spare(client, portion));

    function resize(bytes: number): RefusalReason | undefined {
      const more = isReleased ? 0 : bytes - held;
      if (more > 0 && more > spareOf(1)) {
        onRefused(client);
        return used + more > limit ? 'full' : 'share';
      }
      held += more;
      used += more;
      if (client !== undefined) byNetwork.add(client, more);
      return undefined;
    }

    return {
      resize,
      release() {
        resize(0);
        isReleased = true;
      },
      spare: () => Math.max(0, spareOf(1 / 2)),
    };
  }

  return {
    get used() {
      return used;
    },
    get networks() {
      return byNetwork.size;
    },
    open,
  };
}

/** Returns the default of `CLIENT_MEMORY` in bytes: a quarter of the memory that the process can use. */
export function defaultClientMemory(memory = availableMemory()): number {
  return Math.min(MAX_DEFAULT, Math.max(MIN_DEFAULT, memory * MEMORY_SHARE));
}
