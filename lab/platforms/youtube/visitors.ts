import { decodeMessage, encodeMembers, textOf } from './protobuf.ts';
import type { ClientName } from './responses/playability.ts';

/** Visitors to which the simulated site has issued IDs. */
export interface Visitors {
  /** Issues a new visitor ID, which is valid for one kind of client. */
  issue(client: string): string;
  /** Returns whether the player accepts a visitor: app clients need an ID that was issued to their kind. */
  trusts(client: ClientName, visitor: string | undefined): boolean;
  /** Returns whether this visitor was the first one checked here for its kind of client. */
  isFirst(client: ClientName, visitor: string | undefined): boolean;
}

/** Creates an empty set of visitors. */
export function createVisitors(): Visitors {
  const first = new Map<ClientName, string | undefined>();
  let count = 0;
  return {
    issue(client) {
      count++;
      return encodeMembers([1, `${client}-${count}`.padEnd(16, '-')], [5, Math.floor(Date.now() / 1000)]);
    },
    trusts: (client, visitor) =>
      client === 'WEB' || (textOf(decodeMessage(visitor ?? ''), 1)?.startsWith(`${client}-`) ?? false),
    isFirst(client, visitor) {
      if (!first.has(client)) first.set(client, visitor);
      return first.get(client) === visitor;
    },
  };
}
