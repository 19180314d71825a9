import { randomUUID } from 'node:crypto';
import { asynchronousCommit } from '../database/asynchronous-commit.ts';
import type { Sql } from '../database/database.ts';

/** Places that nobody renews are free again after so long: their node is lost. It renews them every second. */
const LIFETIME_S = 10;

/** What a node holds for an owner, and how many more it wants. */
export interface Claim {
  readonly owner: string;
  readonly held: number;
  readonly wanted: number;
}

/** Places that are given out once, whichever node asks. */
export interface SharedPlaces {
  /** Makes known what this node holds, and asks for more: gives how many places it holds then, by owner. */
  hold(claims: readonly Claim[]): Promise<ReadonlyMap<string, number>>;
  /** Gives back all that this node holds; what lost nodes held is cleared away, too. */
  leave(): Promise<void>;
}

/** Opens the places of a database for this node: `most` for each owner. */
export function openSharedPlaces(sql: Sql, most: number): SharedPlaces {
  const node = randomUUID();
  return {
    async hold(claims) {
      const columns = (['owner', 'held', 'wanted'] as const).map((name) => claims.map((claim) => claim[name]));
      const rows = await sql.query<{ owner: string; places: number }>(
        `select owner, places from hold_relay_places($1, $2, $3, $4, $5, $6), ${asynchronousCommit}`,
        [node, most, LIFETIME_S, ...columns],
      );
      return new Map(rows.map(({ owner, places }) => [owner, places]));
    },
    async leave() {
      await sql.query('delete from relay_places where node = $1 or expires_at < now()', [node]);
    },
  };
}
