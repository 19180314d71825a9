import type { Logger } from 'pino';
import type { Keys, OpenKeys } from '../accounts/keys.ts';
import type { Ledger } from '../accounts/ledger.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { BlockIndex } from '../blocks/block-index.ts';
import type { BlockList } from '../blocks/block-list.ts';
import type { Config } from '../config.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { SubjectReader } from '../contract/subjects.ts';
import type { Worlds } from '../contract/worlds.ts';
import type { Database } from '../database/database.ts';
import type { Exits } from '../egress/exits.ts';
import type { FetchSource } from '../extraction/source/extract.ts';
import type { SourcePolicy } from '../extraction/source/source-policy.ts';
import type { SourceHealth } from '../extraction/source-health/source-health.ts';
import type { LinkHealer } from '../link-healing/link-healer.ts';
import type { MediaHealth } from '../media-health/media-health.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { OwnNode } from '../nodes/own-node.ts';
import type { Platform } from '../platforms/platform.ts';
import type { KeyHistory } from '../receipts/key-history.ts';
import type { ReceiptSigner } from '../receipts/receipt-signer.ts';
import type { UnreadResponses } from '../recording/unread-responses.ts';
import type { JobStore } from '../render/jobs/job-store.ts';
import type { StoredOrders } from '../render/jobs/stored-orders.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { Sealers } from '../sealing/sealers.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tracer } from '../tracing/tracer.ts';

/** Services that the roles of a process share, with jobs and keys in a database or in memory. */
export interface CoreServices {
  readonly config: Config;
  readonly log: Logger;
  readonly storage: Storage;
  readonly sealers: Sealers;
  readonly keys: Pick<Keys, 'find' | 'findAccount' | 'isDisabled'>;
  readonly ledger: Ledger;
  readonly exits: Exits;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly store: JobStore;
  readonly blocks: BlockIndex;
  /** What the requests of test keys use instead; see {@link worldsOf}. Absent without the lab. */
  readonly testWorld?: TestWorld | undefined;
  readonly receipts: { readonly signer: ReceiptSigner; readonly keys: KeyHistory };
  /** Returns the public addresses. @throws Error before the process listens. */
  readonly addresses: () => Addresses;
  /** Registers a resource to be closed when the process stops, before resources that were opened earlier. */
  readonly own: <T extends { close(): Promise<unknown> }>(resource: T) => T;
}

/** The platforms, and the only way in which a process sends requests to them. */
export interface Sources {
  readonly platforms: readonly Platform[];
  readonly health: SourceHealth;
  readonly policy: SourcePolicy;
  readonly mediaHealth: MediaHealth;
  readonly fetchSource: FetchSource;
  /** Absent if `KEEP_UNREAD` is 0. */
  readonly unreadResponses: UnreadResponses | undefined;
  /** Replaces media links that no longer work. Absent if `HEAL_LINKS` is `off`. */
  readonly healer: LinkHealer | undefined;
}

/** The exits to the lab, the platforms as the lab simulates them, and the metrics of test keys. */
export type TestWorld = Pick<World<Sources>, 'exits' | 'metrics' | 'sources'>;

/** What the requests of one world use. */
export interface World<S> extends Pick<CoreServices, 'exits' | 'metrics'> {
  readonly sources: S;
  /** Seals the links. */
  readonly sealer: Sealer;
  readonly storedOrders: StoredOrders;
}

/** Returns both worlds of a process, which hands them to its features only in this form. */
export function worldsOf<S>(
  { exits, metrics, sealers, store, testWorld }: CoreServices,
  sources: S,
): Worlds<World<S | Sources>> {
  const { live, test } = store.storedOrders;
  return {
    live: { exits, metrics, sources, sealer: sealers.live, storedOrders: live },
    ...(testWorld === undefined || test === undefined
      ? {}
      : { test: { ...testWorld, sealer: sealers.test, storedOrders: test } }),
  };
}

/** Services that the roles of a node share. */
export interface NodeServices extends CoreServices {
  /** Version of the software. */
  readonly version: string;
  readonly database: Database;
  readonly node: OwnNode;
  readonly blocks: BlockList;
  /** Reads what operators name in a block. */
  readonly subjects: SubjectReader;
  readonly keys: OpenKeys;
  readonly auditLog: AuditLog;
  readonly sources: Sources;
}
