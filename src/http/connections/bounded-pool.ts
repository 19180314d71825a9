import { type ClientNetworks, tierLimit } from './client-network.ts';

/** A connection in a pool. */
export interface PoolMember {
  /** The client whose limits it counts towards; undefined for a proxy, which forwards requests of many clients. */
  readonly client: ClientNetworks | undefined;
  /**
   * Whether the connection has no response in progress: it is idle, half-open, or its request has not fully arrived.
   */
  isWaiting(): boolean;
  /** Closes the connection and removes it from the pool. */
  close(): void;
}

/** Why a connection was not admitted: the pool is full, or a network of its client has reached its limit. */
export type RefusalReason = 'full' | 'share';

/** A limited number of connections. */
export interface BoundedPool<M extends PoolMember> {
  readonly size: number;
  /** Adds a connection, and closes the one that has waited longest if necessary to make room. */
  admit(member: M): RefusalReason | undefined;
  /** Moves a member to the end of the waiting list; called when it starts to wait again. */
  markWaiting(member: M): void;
  /** Removes a member. Does nothing if it is not in the pool. */
  remove(member: M): void;
  has(member: M): boolean;
}

/** Members that share a limit. */
class Group<M extends PoolMember> {
  readonly members = new Set<M>();
  /** Members that may be waiting, longest wait first. Those that are not waiting are removed when room is needed. */
  readonly waiting = new Set<M>();

  /** Returns false if every member has a response in progress. */
  closeLongestWaiting(): boolean {
    for (const member of this.waiting) {
      this.waiting.delete(member);
      if (!member.isWaiting()) continue;
      member.close();
      return true;
    }
    return false;
  }
}

/**
 * Creates a pool of up to `max` connections, of which one client can have `maxPerClient`, and a wider network more
 * ({@link tierLimit}), but at most half. When a limit is reached, the connection that has waited longest is closed to make
 * room: one of the same network if its limit is reached.
 */
export function createBoundedPool<M extends PoolMember>(max: number, maxPerClient: number): BoundedPool<M> {
  const all = new Group<M>();
  const networks = new Map<string, Group<M>>();

  function groupsOf({ client = [] }: { readonly client?: readonly string[] | undefined }): Group<M>[] {
    return [all, ...client.flatMap((network) => networks.get(network) ?? [])];
  }

  function remove(member: M): void {
    if (!all.members.has(member)) return;
    for (const { members, waiting } of groupsOf(member)) {
      members.delete(member);
      waiting.delete(member);
    }
    for (const network of member.client ?? []) if (networks.get(network)?.members.size === 0) networks.delete(network);
  }

  /** Makes room in each network of a client. Returns false if all members of one of them have responses in progress. */
  function makeRoom(client: readonly string[]): boolean {
    return client.every((network, tier) => {
      const group = networks.get(network);
      const limit = tierLimit(maxPerClient, tier, Math.ceil(max / 2));
      return group === undefined || group.members.size < limit || group.closeLongestWaiting();
    });
  }

  return {
    get size() {
      return all.members.size;
    },
    admit(member) {
      const client = member.client ?? [];
      if (!makeRoom(client)) return 'share';
      if (all.members.size >= max && !all.closeLongestWaiting()) return 'full';
      for (const network of client) if (!networks.has(network)) networks.set(network, new Group());
      for (const { members, waiting } of groupsOf(member)) {
        members.add(member);
        waiting.add(member);
      }
      return undefined;
    },
    markWaiting(member) {
      if (!all.members.has(member)) return;
      for (const { waiting } of groupsOf(member)) {
        waiting.delete(member);
        waiting.add(member);
      }
    },
    remove,
    has: (member) => all.members.has(member),
  };
}
