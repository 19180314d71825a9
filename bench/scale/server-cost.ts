import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { cpuOf } from '../measure.ts';

/** What a database server has done so far. */
interface Totals {
  /** Seconds of processor time of all its processes; undefined where it runs on another machine. */
  readonly cpu: number | undefined;
  readonly walBytes: number;
  readonly commits: number;
  readonly updates: number;
  readonly hotUpdates: number;
}

/** What a database server did over a time, each second. */
export interface ServerCost {
  readonly seconds: number;
  /** Cores. */
  readonly cpu: number | undefined;
  readonly walBytes: number;
  readonly commits: number;
  readonly updates: number;
  /** Part of the updates, 0 to 1, that touched no index and left their space to be used again without VACUUM. */
  readonly hotShare: number;
}

/** A table's size, and what of it is waiting for VACUUM. */
interface TableState {
  readonly table: string;
  readonly bytes: number;
  readonly live: number;
  readonly dead: number;
}

/** Watches a database and its server from a connection of its own. */
export async function watchServer(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const postmaster = await findPostmaster(client);

  async function totals(): Promise<Totals> {
    // What other sessions did is counted when they have told, at most once a second.
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
    /** Begins to count; what it returns ends it. */
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

/** The process that all others of the server descend from, where it runs on this machine. */
async function findPostmaster(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const status = await readFile(`/proc/${rows[0].pid}/status`, 'utf8').catch(() => '');
  if (!/^Name:\s+postgres$/m.test(status)) return undefined;
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}
