import type { Readable } from 'node:stream';

/** Runs statements in the one SQL dialect that every engine of ours speaks (PostgreSQL). */
export interface Sql {
  /** Runs one statement. `Row` is what its columns are; the schema in `migrations/` is what makes that true. */
  query<Row = Record<string, never>>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The service's database. Whatever fails because it is away or too slow fails with `service_unavailable` in the time that
 * a statement has; nobody knows then whether the statement took effect.
 */
export interface Database extends Sql {
  /**
   * Runs statements that take effect together or not at all. Keep it short: the embedded engine has one connection. The
   * work is done again when the database had it make way for other work (a deadlock), so it does nothing but SQL.
   *
   * @param limit Milliseconds for each statement; default: as many as any statement has.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, limit?: number): Promise<T>;
  /**
   * Calls back for every `notify` on the channel, in this process or another; what came while the connection was broken
   * is missed, so whoever listens looks from time to time, too. Returns how to stop.
   */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Makes a compressed copy of the embedded database; undefined for servers, which have tools of their own.
   * The caller reads it to its end or destroys it.
   */
  backup?(): Promise<Readable>;
  /** How the way to the database is now; asks nothing of it. */
  state(): DatabaseState;
  close(): Promise<void>;
}

/** Connections of this process to the database. */
export interface DatabaseState {
  readonly open: number;
  /** Those of them that do nothing. */
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
  /** Whether notifications are heard. */
  readonly listening: boolean;
}

/** Tells every listener of a channel; within a transaction, once it is committed. */
export async function notify(sql: Sql, channel: string, payload: string): Promise<void> {
  await sql.query('select pg_notify($1, $2)', [channel, payload]);
}
