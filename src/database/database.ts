import type { Readable } from 'node:stream';

/** Runs statements in the SQL dialect of both databases (PostgreSQL). */
export interface Sql {
  /** Runs one statement. The schema in `migrations/` guarantees the type of the rows. */
  query<Row = Record<string, never>>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The service's database. If it is unreachable or too slow, calls fail with `service_unavailable` within the time limit
 * of a statement. Whether the statement took effect is then unknown.
 */
export interface Database extends Sql {
  /**
   * Runs statements that take effect together or not at all. Keep it short: the embedded engine has one connection. The
   * work runs again after a deadlock or serialization failure, so it must only run SQL.
   *
   * @param limit Time limit of each statement in milliseconds. Default: that of single statements.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, limit?: number): Promise<T>;
  /**
   * Calls `listener` for every `notify` on the channel, in this process or another, until the returned function is
   * called. Notifications are missed while the connection is broken, so listeners also poll.
   */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Creates a compressed copy of the embedded database; undefined for servers, which have their own tools. The caller
   * reads it to its end or destroys it.
   */
  backup?(): Promise<Readable>;
  /** Returns the current state of the connections, without a query. */
  state(): DatabaseState;
  close(): Promise<void>;
}

/** Connections of this process to the database. */
export interface DatabaseState {
  readonly open: number;
  /** Open connections that are idle. */
  readonly idle: number;
  /** Calls waiting for a connection: none is idle, and no more may be opened. */
  readonly waiting: number;
  /** Whether notifications arrive. */
  readonly listening: boolean;
}

/** Notifies every listener of a channel. Within a transaction, it does so on commit. */
export async function notify(sql: Sql, channel: string, payload: string): Promise<void> {
  await sql.query('select pg_notify($1, $2)', [channel, payload]);
}
