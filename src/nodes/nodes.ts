import type { NodeState } from '../contract/admin-api/node-routes.ts';
import { type Database, notify, type Sql } from '../database/database.ts';
import { isUuid } from '../database/is-uuid.ts';
import { nodesChannel } from './nodes-channel.ts';

/** Time without a heartbeat after which a node counts as lost. */
const lostAfter = `interval '30 seconds'`;

/** A node as administrators see it. */
export interface NodeInfo {
  readonly id: string;
  readonly state: NodeState;
  readonly host: string;
  readonly roles: readonly string[];
  readonly version: string;
  /** The ID of its worker. Null without the role worker. */
  readonly worker: string | null;
  /** Number of jobs that its worker runs. */
  readonly jobs: number;
  readonly startedAt: Date;
  readonly beatAt: Date;
  readonly drainingAt: Date | null;
  readonly drainReason: string | null;
}

/** Records that the reason of a drain has changed; null: the node does not drain. */
export type RecordChange = (sql: Sql, reasons: { before: string | null; after: string | null }) => Promise<void>;

/** The nodes that use a database. */
export interface Nodes {
  /** Returns the nodes, newest first. Nodes that died within the last hour are among them. */
  list(): Promise<readonly NodeInfo[]>;
  /**
   * Makes a node take no new work. Returns undefined if no node has this ID.
   *
   * @param record Records the change in the transaction that makes it.
   */
  drain(id: string, reason: string, record: RecordChange): Promise<NodeInfo | undefined>;
  /** Makes a drained node take work again, like {@link Nodes.drain}. */
  resume(id: string, record: RecordChange): Promise<NodeInfo | undefined>;
}

const infoColumns = `id, host, roles, version, worker, started_at as "startedAt", beat_at as "beatAt",
  draining_at as "drainingAt", drain_reason as "drainReason",
  case when beat_at < now() - ${lostAfter} then 'lost' when draining_at is not null then 'draining' else 'active' end
    as state,
  (select count(*) from render_jobs where run is not null and render_jobs.worker = nodes.worker
    and not exists (select from nodes as later where later.worker = nodes.worker and later.started_at > nodes.started_at)
  )::integer as jobs`;

/** Opens the nodes of a database. */
export function openNodes(database: Database): Nodes {
  async function change(id: string, reason: string | null, record: RecordChange): Promise<NodeInfo | undefined> {
    if (!isUuid(id)) return undefined;
    return await database.transaction(async (sql) => {
      const [former] = await sql.query<{ drain_reason: string | null }>(
        'select drain_reason from nodes where id = $1 for update',
        [id],
      );
      if (former === undefined) return undefined;
      const [node] = await sql.query<NodeInfo>(
        `update nodes set drain_reason = $2::text,
           draining_at = case when $2::text is not null then coalesce(draining_at, now()) end
         where id = $1 returning ${infoColumns}`,
        [id, reason],
      );
      await record(sql, { before: former.drain_reason, after: reason });
      await notify(sql, nodesChannel, id);
      return node;
    });
  }

  return {
    list: () => database.query<NodeInfo>(`select ${infoColumns} from nodes order by started_at desc, id`),
    drain: change,
    resume: (id, record) => change(id, null, record),
  };
}

/** Returns the number of nodes whose heartbeats stopped within the last 15 minutes without a clean shutdown. */
export async function countLostNodes(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count from nodes
     where beat_at < now() - ${lostAfter} and beat_at >= now() - interval '15 minutes'`,
  );
  return row?.count ?? 0;
}

/** Returns the number of nodes with a recent heartbeat, by role. A node with several roles counts for each. */
export async function countNodes(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ role: string; count: number }>(
    `select role, count(*)::integer as count from nodes, unnest(roles) as role
     where beat_at >= now() - ${lostAfter} group by role`,
  );
  return new Map(rows.map(({ role, count }) => [role, count]));
}
