import { Counter, Gauge, Histogram } from 'prom-client';
import type { Describe } from './describe.ts';

/** Seconds. */
const DATABASE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20];
const STORAGE_BUCKETS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 120, 600];

/** What is asked of the database. */
export type DatabaseCall = 'query' | 'transaction';

/** What is asked of the storage. */
export type StorageCall = 'put' | 'delete' | 'read' | 'list' | 'sweep' | 'check';

/** Counts what the service asks of its database and its storage, and the status streams that it serves. */
export function createCallMetrics(of: Describe) {
  const databaseSeconds = new Histogram({
    ...of('database_seconds', 'Time that calls of the database took, the wait for a connection included.', 'call'),
    buckets: DATABASE_BUCKETS,
  });
  const databaseErrors = new Counter(of('database_errors_total', 'Calls of the database that failed.', 'call'));
  const storageSeconds = new Histogram({
    ...of('storage_seconds', 'Time that calls of the storage took.', 'call'),
    buckets: STORAGE_BUCKETS,
  });
  const storageErrors = new Counter(of('storage_errors_total', 'Calls of the storage that failed.', 'call'));
  const storedBytes = new Counter(of('storage_written_bytes_total', 'Bytes of files that were put into the storage.'));
  const streams = new Gauge(of('status_streams', 'Status streams of jobs that are not over.'));
  return {
    /** A call of the database has ended. */
    databaseCall(call: DatabaseCall, milliseconds: number, failed: boolean): void {
      databaseSeconds.observe({ call }, milliseconds / 1_000);
      if (failed) databaseErrors.inc({ call });
    },
    /** A call of the storage has ended. */
    storageCall(call: StorageCall, milliseconds: number, failed: boolean): void {
      storageSeconds.observe({ call }, milliseconds / 1_000);
      if (failed) storageErrors.inc({ call });
    },
    /** A file of so many bytes lies in the storage. */
    stored(bytes: number): void {
      storedBytes.inc(bytes);
    },
    /** A status stream was opened; what is returned is called once, when it is over. */
    statusStream(): () => void {
      streams.inc();
      return () => streams.dec();
    },
  };
}
