import { Counter, Gauge, Histogram } from 'prom-client';
import type { MetricOptionsOf } from './metric-options.ts';

/** Seconds. */
const DATABASE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20];
const STORAGE_BUCKETS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 120, 600];

/** A kind of call to the database. */
export type DatabaseCall = 'query' | 'transaction';

/** A kind of call to the storage. */
export type StorageCall = 'put' | 'delete' | 'read' | 'list' | 'sweep' | 'check';

/** Creates the metrics of calls to the database and the storage, and of open status streams. */
export function createCallMetrics(optionsOf: MetricOptionsOf) {
  const databaseSeconds = new Histogram({
    ...optionsOf('database_seconds', 'Duration of database calls, including the wait for a connection.', 'call'),
    buckets: DATABASE_BUCKETS,
  });
  const databaseErrors = new Counter(optionsOf('database_errors_total', 'Database calls that failed.', 'call'));
  const storageSeconds = new Histogram({
    ...optionsOf('storage_seconds', 'Duration of storage calls.', 'call'),
    buckets: STORAGE_BUCKETS,
  });
  const storageErrors = new Counter(optionsOf('storage_errors_total', 'Storage calls that failed.', 'call'));
  const storedBytes = new Counter(optionsOf('storage_written_bytes_total', 'Bytes of files written to the storage.'));
  const streams = new Gauge(optionsOf('status_streams', 'Open status streams of unfinished jobs.'));
  return {
    /** Counts a call to the database that ended. */
    databaseCall(call: DatabaseCall, milliseconds: number, failed: boolean): void {
      databaseSeconds.observe({ call }, milliseconds / 1_000);
      if (failed) databaseErrors.inc({ call });
    },
    /** Counts a call to the storage that ended. */
    storageCall(call: StorageCall, milliseconds: number, failed: boolean): void {
      storageSeconds.observe({ call }, milliseconds / 1_000);
      if (failed) storageErrors.inc({ call });
    },
    /** Counts the bytes of a file that was stored. */
    bytesStored(bytes: number): void {
      storedBytes.inc(bytes);
    },
    /** Counts an open status stream. Call the returned function once, when it ends. */
    statusStream(): () => void {
      streams.inc();
      return () => streams.dec();
    },
  };
}
