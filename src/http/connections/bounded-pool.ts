/** A connection in a pool. */
export interface PoolMember {
  /** The client whose limit it counts towards; undefined for a proxy, which forwards requests of many clients. */
  readonly client: string | undefined;
  /**
   * Whether the connection has no response in progress: it is idle, half-open, or its request has not fully arrived.
   */
  isWaiting(): boolean;
  /** Closes the connection and removes it from the pool. */
  close(): void;
}

/** Why a connection was not admitted: the pool is full, or its client has reached its own limit. */
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
 * Creates a pool of up to `max` connections, of which one client can have `maxPerClient`. When a limit is reached, the
 * connection that has waited longest is closed to make room: one of the same client if the client's limit is reached.
 */
export function createBoundedPool<M extends PoolMember>(max: number, maxPerClient: number): BoundedPool<M> {
  const all = new Group<M>();
  const clients = new Map<string, Group<M>>();

  function groupsOf({ client }: M): Group<M>[] {
    const clientGroup = client === undefined ? undefined : clients.get(client);
    return clientGroup === undefined ? [all] : [all, clientGroup];
  }

  function remove(member: M): void {
    if (!all.members.has(member)) return;
    for (const { members, waiting } of groupsOf(member)) {
      members.delete(member);
      waiting.delete(member);
    }
    if (member.client !== undefined && clients.get(member.client)?.members.size === 0) clients.delete(member.client);
  }

  return {
    get size() {
      return all.members.size;
    },
    admit(member) {
      const clientGroup = member.client === undefined ? undefined : clients.get(member.client);
      if (clientGroup !== undefined && clientGroup.members.size >= maxPerClient && !clientGroup.closeLongestWaiting())
        return 'share';
      if (all.members.size >= max && !all.closeLongestWaiting()) return 'full';
      if (member.client !== undefined && !clients.has(member.client)) clients.set(member.client, new Group());
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
