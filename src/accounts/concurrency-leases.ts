import { randomUUID } from 'node:crypto';
import { asynchronousCommit } from '../database/asynchronous-commit.ts';
import type { Sql } from '../database/database.ts';

/** Lifetime of leases that are not renewed because their node is lost. Nodes renew them every second. */
const LIFETIME_S = 10;

/** The leases that a node holds for an owner, and how many more it requests. */
export interface LeaseRequest {
  readonly owner: string;
  readonly held: number;
  readonly requested: number;
}

/** Leases that limit concurrency across all nodes. Each is held by one node at a time. */
export interface ConcurrencyLeases {
  /**
   * Renews the leases that this node holds, and requests more. Returns the number of leases that the node then holds,
   * by owner.
   */
  renew(requests: readonly LeaseRequest[]): Promise<ReadonlyMap<string, number>>;
  /** Releases all leases of this node, and removes the leases of lost nodes. */
  release(): Promise<void>;
}

/** Opens the leases of a database for this node, with `limit` leases for each owner. */
export function openConcurrencyLeases(sql: Sql, limit: number): ConcurrencyLeases {
  const node = randomUUID();
  return {
    async renew(requests) {
      const columns = (['owner', 'held', 'requested'] as const).map((name) => requests.map((request) => request[name]));
      const rows = await sql.query<{ owner: string; places: number }>(
        `select owner, places from hold_relay_places($1, $2, $3, $4, $5, $6), ${asynchronousCommit}`,
        [node, limit, LIFETIME_S, ...columns],
      );
      return new Map(rows.map(({ owner, places }) => [owner, places]));
    },
    async release() {
      await sql.query('delete from relay_places where node = $1 or expires_at < now()', [node]);
    },
  };
}
