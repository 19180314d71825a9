import { MillraceError } from '../../contract/errors.ts';
import { advisoryLocks } from '../../database/advisory-locks.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { runInTurns, type Steps } from '../../waiting/steps.ts';
import type { ExecutionOrder, LongOrder, StoreOrders } from './execution-url.ts';

/** The orders that are too long for their execution URLs. */
export interface StoredOrders {
  /**
   * Stores the orders of one response, which have the same owner and visitor.
   *
   * @throws MillraceError `rate_limited` if the quota of the owner or of the visitor is used up.
   */
  readonly store: StoreOrders;
  /** Returns an order; undefined if it has expired or its secret is no longer known. */
  find(orderId: string): Promise<ExecutionOrder | undefined>;
}

/** What an account or a visitor may store at the same time. Expired orders do not count. */
interface OrderQuota {
  readonly rows: number;
  /** Bytes of sealed orders. */
  readonly bytes: number;
}

/** The quota of an account for each of its unfinished jobs. An order has 6 KiB to 350 KiB, usually below 30 KiB. */
const PER_JOB: OrderQuota = { rows: 200, bytes: 8 * 1024 * 1024 };
/** The quota of a visitor of the page, whose orders also count towards that of the page's account. */
const OF_VISITOR: OrderQuota = { rows: 1_000, bytes: 16 * 1024 * 1024 };

/**
 * Opens the stored orders of a database. They are in the table of the stored descriptions, so they are deleted in the
 * same way when they expire. They are sealed for another purpose, so no route starts them as a stored description.
 */
export function openStoredOrders(database: Database, sealer: Sealer): StoredOrders {
  return {
    async store(orders, { jobsAtOnce }) {
      const [first] = orders;
      if (first === undefined) return;
      const { owner, visitor } = first.order;
      const rows = await runInTurns(sealedRows(sealer, orders));
      const quota = { rows: jobsAtOnce * PER_JOB.rows, bytes: jobsAtOnce * PER_JOB.bytes };
      await database.transaction(async (sql) => {
        // Concurrent responses would not see each other's orders.
        await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [advisoryLocks.storedOrders, owner]);
        const added = await sql.query(
          `insert into render_cache (cache_id, owner, visitor, description, expires_at)
           select added.*
           from (select id, $1::text, $2::text, description, expires_at
               from unnest($3::text[], $4::text[], $5::timestamptz[]) as one (id, description, expires_at)) added,
             (select count(*) as count, coalesce(sum(octet_length(description)), 0) as bytes,
                 count(*) filter (where visitor = $2) as visitor_count,
                 coalesce(sum(octet_length(description)) filter (where visitor = $2), 0) as visitor_bytes
               from render_cache where owner = $1 and expires_at > now()) stored
           where count + $6::bigint <= $8::bigint and bytes + $7::bigint <= $9::bigint
             and ($2 is null or (visitor_count + $6 <= $10::bigint and visitor_bytes + $7 <= $11::bigint))
           returning cache_id`,
          [
            ...[owner, visitor ?? null, rows.ids, rows.descriptions, rows.expiries],
            ...[rows.ids.length, rows.bytes, quota.rows, quota.bytes, OF_VISITOR.rows, OF_VISITOR.bytes],
          ],
        );
        if (added.length === 0) throw await quotaError(sql, owner, visitor);
      });
    },
    async find(orderId) {
      const [row] = await database.query<{ description: string }>(
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

/** The columns of sealed orders. */
interface SealedRows {
  readonly ids: readonly string[];
  readonly descriptions: readonly string[];
  readonly expiries: readonly Date[];
  /** Bytes of all descriptions. */
  readonly bytes: number;
}

function* sealedRows(sealer: Sealer, orders: readonly LongOrder[]): Steps<SealedRows> {
  const descriptions: string[] = [];
  for (const longOrder of orders) {
    // The ID is sealed as well, so that no row can take the place of another one.
    descriptions.push(sealer.seal('stored-order', longOrder));
    yield undefined;
  }
  return {
    ids: orders.map(({ orderId }) => orderId),
    descriptions,
    expiries: orders.map(({ order }) => new Date(order.expiresAt)),
    // Sealed texts are ASCII.
    bytes: descriptions.reduce((sum, { length }) => sum + length, 0),
  };
}

async function quotaError(sql: Sql, owner: string, visitor: string | undefined): Promise<MillraceError> {
  const [next] = await sql.query<{ seconds: number | null }>(
    `select ceil(extract(epoch from min(expires_at) - now()))::integer as seconds from render_cache
     where owner = $1 and ($2::text is null or visitor = $2) and expires_at > now()`,
    [owner, visitor ?? null],
  );
  const seconds = Math.max(1, next?.seconds ?? 1);
  const minutes = Math.ceil(seconds / 60);
  return new MillraceError(
    'rate_limited',
    'The links of this format are so long that its render must be stored, and too many of your renders are stored ' +
      `already. Request fewer formats, or send the request again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    { retryAfter: seconds },
  );
}
