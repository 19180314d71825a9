/** A connection, as far as a pool needs to know it. */
export interface Member {
  /** Whose share it takes; undefined for a proxy, which speaks for many clients. */
  readonly client: string | undefined;
  /** Whether nothing is being answered: it is idle, half-open, or its request has not arrived in full. */
  isWaiting(): boolean;
  /** Closes it; the pool no longer counts it. */
  close(): void;
}

/** Why a connection was not admitted: all places are taken, or all that its client may have. */
export type Refusal = 'full' | 'share';

/** Places for connections. */
export interface Pool<M extends Member> {
  readonly size: number;
  /** Gives a connection a place, and closes the one that has waited longest where that takes one. */
  admit(member: M): Refusal | undefined;
  /** Puts a member last among those that wait; called when it begins to wait again. */
  waits(member: M): void;
  /** Frees the member's place. Does nothing for others. */
  remove(member: M): void;
  has(member: M): boolean;
}

/** Members that share a limit. */
class Group<M extends Member> {
  readonly members = new Set<M>();
  /** All that may be waiting, the longest first. Those that are not are taken out when a place is needed. */
  readonly waiting = new Set<M>();

  /** Returns false where every member is being answered. */
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
 * Makes a pool of `most` places, of which one client can hold `mostOfClient`. Where places are taken, connections that
 * wait are closed to make room, the longest waiting first: those of the same client where it has all of its share.
 */
export function createPool<M extends Member>(most: number, mostOfClient: number): Pool<M> {
  const all = new Group<M>();
  const clients = new Map<string, Group<M>>();

  function groupsOf({ client }: M): Group<M>[] {
    const own = client === undefined ? undefined : clients.get(client);
    return own === undefined ? [all] : [all, own];
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
      const own = member.client === undefined ? undefined : clients.get(member.client);
      if (own !== undefined && own.members.size >= mostOfClient && !own.closeLongestWaiting()) return 'share';
      if (all.members.size >= most && !all.closeLongestWaiting()) return 'full';
      if (member.client !== undefined && !clients.has(member.client)) clients.set(member.client, new Group());
      for (const { members, waiting } of groupsOf(member)) {
        members.add(member);
        waiting.add(member);
      }
      return undefined;
    },
    waits(member) {
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
