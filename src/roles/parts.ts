import type { Logger } from 'pino';
import type { OpenKeys } from '../accounts/keys.ts';
import type { Ledger } from '../accounts/ledger.ts';
import type { Addresses } from '../addresses.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Exits } from '../egress/exits.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Queue } from '../render/queue.ts';
import type { Sealer } from '../sealing.ts';
import type { Storage } from '../storage/storage.ts';

/** What every role of a process is made of. */
export interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly keys: OpenKeys;
  readonly ledger: Ledger;
  readonly exits: Exits;
  readonly metrics: Metrics;
  readonly queue: Queue;
  /** Known once the process listens. */
  readonly addresses: () => Addresses;
  /** Has a resource closed when the process stops, before all that were opened earlier. */
  readonly own: <T extends { close(): Promise<unknown> }>(resource: T) => T;
}
