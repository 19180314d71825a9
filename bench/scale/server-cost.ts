import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { cpuOf } from '../measure.ts';

/** Totals of a database server since its start. */
interface Totals {
  /** Seconds of processor time of all its processes. Undefined if it runs on another machine. */
  readonly cpu: number | undefined;
  readonly walBytes: number;
  readonly commits: number;
  readonly updates: number;
  readonly hotUpdates: number;
}

/** Activity of a database server in a period, per second. */
export interface ServerCost {
  readonly seconds: number;
  /** Cores. */
  readonly cpu: number | undefined;
  readonly walBytes: number;
  readonly commits: number;
  readonly updates: number;
  /** Portion of the updates, 0 to 1, that changed no index and left their space to be reused without VACUUM (HOT). */
  readonly hotShare: number;
}

/** A table's size, and its rows that wait for VACUUM. */
interface TableState {
  readonly table: string;
  readonly bytes: number;
  readonly live: number;
  readonly dead: number;
}

/** Watches a database and its server from a separate connection. */
export async function watchServer(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const postmaster = await findPostmaster(client);

  async function totals(): Promise<Totals> {
    // Other sessions report their statistics at most once a second.
    const { rows } = await client.query(
      `select d.xact_commit::float8 as commits, w.wal_bytes::float8 as wal,
         t.updates::float8 as updates, t.hot::float8 as hot
       from pg_stat_database d, pg_stat_wal w,
         (select sum(n_tup_upd) as updates, sum(n_tup_hot_upd) as hot from pg_stat_user_tables) t
       where d.datname = current_database()`,
    );
    const [{ commits, wal, updates, hot }] = rows;
    const cpu = postmaster === undefined ? undefined : await cpuOf(postmaster);
    return { cpu, walBytes: wal, commits, updates, hotUpdates: hot };
  }

  return {
    /** Starts counting. The returned function stops counting and returns the cost. */
    async begin(): Promise<() => Promise<ServerCost>> {
      const before = await totals();
      const startedAt = performance.now();
      return async () => {
        const after = await totals();
        const seconds = (performance.now() - startedAt) / 1000;
        const rate = (what: Exclude<keyof Totals, 'cpu'>) => (after[what] - before[what]) / seconds;
        const cpuSeconds = after.cpu === undefined || before.cpu === undefined ? undefined : after.cpu - before.cpu;
        return {
          seconds,
          cpu: cpuSeconds === undefined ? undefined : cpuSeconds / seconds,
          walBytes: rate('walBytes'),
          commits: rate('commits'),
          updates: rate('updates'),
          hotShare: rate('hotUpdates') / rate('updates'),
        };
      };
    },
    async tables(...names: readonly string[]): Promise<readonly TableState[]> {
      const { rows } = await client.query(
        `select relname as table, pg_total_relation_size(relid)::float8 as bytes,
           n_live_tup::float8 as live, n_dead_tup::float8 as dead
         from pg_stat_user_tables where relname = any($1) order by relname`,
        [names],
      );
      return rows;
    },
    close: () => client.end(),
  };
}

/** Returns the parent of all processes of the server, if it runs on this machine. */
async function findPostmaster(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const status = await readFile(`/proc/${rows[0].pid}/status`, 'utf8').catch(() => '');
  if (!/^Name:\s+postgres$/m.test(status)) return undefined;
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}
