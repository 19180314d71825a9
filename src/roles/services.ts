import type { Logger } from 'pino';
import type { Keys, OpenKeys } from '../accounts/keys.ts';
import type { Ledger } from '../accounts/ledger.ts';
import type { Config } from '../config.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { Database } from '../database/database.ts';
import type { Exits } from '../egress/exits.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { JobStore } from '../render/jobs/job-store.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { Storage } from '../storage/storage.ts';

/** Services that the roles of a process share, with jobs and keys in a database or in memory. */
export interface CoreServices {
  readonly config: Config;
  readonly log: Logger;
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly keys: Pick<Keys, 'find' | 'findAccount'>;
  readonly ledger: Ledger;
  readonly exits: Exits;
  readonly metrics: Metrics;
  readonly store: JobStore;
  /** Returns the public addresses. @throws Error before the process listens. */
  readonly addresses: () => Addresses;
  /** Registers a resource to be closed when the process stops, before resources that were opened earlier. */
  readonly own: <T extends { close(): Promise<unknown> }>(resource: T) => T;
}

/** Services that the roles of a node share. */
export interface NodeServices extends CoreServices {
  readonly database: Database;
  readonly keys: OpenKeys;
}
