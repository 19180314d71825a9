import { statfs } from 'node:fs/promises';
import type { Database } from '../database/database.ts';
import { withTimeout } from '../waiting/with-timeout.ts';
import type { Metrics } from './metrics.ts';

/** Time after which the database counts as down. Shorter than the timeout of gauges, which leaves a late one out. */
const DATABASE_TIMEOUT_MS = 2_000;

/** Adds metrics of this process's database connections and of its disk. */
export function addNodeMetrics(metrics: Metrics, database: Database, dataDirectory: string): void {
  metrics.gauge('database_up', 'Whether the database responds within 2 s: 1 or 0.', () =>
    withTimeout(database.query('select 1'), DATABASE_TIMEOUT_MS).then(
      () => 1,
      () => 0,
    ),
  );
  const state = () => database.state();
  metrics.gauge('database_listening', 'Whether the node receives database notifications: 1 or 0.', () =>
    Number(state().listening),
  );
  metrics.labelledGauge('database_connections', "Connections in this process's pool.", 'state', () => {
    const { open, idle } = state();
    return new Map([
      ['busy', open - idle],
      ['idle', idle],
    ]);
  });
  metrics.gauge('database_waiting', 'Calls waiting for a pool connection while all are in use.', () => state().waiting);
  metrics.gaugeGroup(
    {
      data_free_bytes: 'Bytes that the service can still write to the disk of DATA_DIR.',
      data_size_bytes: 'Size of the disk of DATA_DIR, in bytes.',
    },
    async () => {
      const { frsize, bavail, blocks } = await statfs(dataDirectory);
      return { data_free_bytes: bavail * frsize, data_size_bytes: blocks * frsize };
    },
  );
}
