import type { Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import type { ExecutionOrder, LongOrder, StoreOrders } from './execution-url.ts';

/** The orders that are too long for their execution URLs. */
export interface StoredOrders {
  readonly store: StoreOrders;
  /** Returns an order; undefined if it has expired or its secret is no longer known. */
  find(orderId: string): Promise<ExecutionOrder | undefined>;
}

/**
 * Opens the stored orders of a database. They are in the table of the stored descriptions, so they are deleted in the
 * same way when they expire. They are sealed for another purpose, so no route starts them as a stored description.
 */
export function openStoredOrders(sql: Sql, sealer: Sealer): StoredOrders {
  return {
    async store(orders) {
      await sql.query(
        `insert into render_cache (cache_id, owner, description, expires_at)
         select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])`,
        [
          orders.map(({ orderId }) => orderId),
          orders.map(({ order }) => order.owner),
          // The ID is sealed as well, so that no row can take the place of another one.
          orders.map((longOrder) => sealer.seal('stored-order', longOrder)),
          orders.map(({ order }) => new Date(order.expiresAt)),
        ],
      );
    },
    async find(orderId) {
      const [row] = await sql.query<{ description: string }>(
        'select description from render_cache where cache_id = $1 and expires_at > now()',
        [orderId],
      );
      if (row === undefined) return undefined;
      // Only store() seals for this purpose.
      const longOrder = sealer.open('stored-order', row.description) as LongOrder | undefined;
      return longOrder?.orderId === orderId ? longOrder.order : undefined;
    },
  };
}
