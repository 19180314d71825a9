import { decodeMessage, encodeMembers, textOf } from './protobuf.ts';
import type { ClientName } from './responses/playability.ts';

/** The visitors that the simulated site has given ids to. */
export interface Visitors {
  /** A new visitor's id, which is good for one kind of client. */
  issue(client: string): string;
  /** Whether the player lets a visitor in: app clients must show an id that was given to their kind. */
  trusts(client: ClientName, visitor: string | undefined): boolean;
  /** Whether a visitor is the first of its kind of client to ask this. */
  isFirst(client: ClientName, visitor: string | undefined): boolean;
}

/** Starts without any visitor. */
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
