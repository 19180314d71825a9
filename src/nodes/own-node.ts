import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { asynchronousCommit } from '../database/asynchronous-commit.ts';
import type { Database } from '../database/database.ts';
import { createCoalescingTask } from '../waiting/coalescing-task.ts';
import { nodesChannel } from './nodes-channel.ts';

/** Interval between heartbeats. It is also the maximum delay of a drain while no notifications arrive. */
const HEARTBEAT_INTERVAL_MS = 3_000;

/** Time for which the row of a node that died is kept. */
const keptFor = `interval '1 hour'`;

/** What a node states about itself. */
export interface NodeFacts {
  /** Name of the machine or the container. */
  readonly host: string;
  readonly roles: readonly string[];
  /** Version of the service. */
  readonly version: string;
  /** Whether no other process can use the database, because it is embedded. */
  readonly isOnly: boolean;
}

/** This process, as a node among others. */
export interface OwnNode {
  /** A new ID at each start. */
  readonly id: string;
  /** Why an administrator drains this node; undefined unless it drains. */
  readonly drainReason: string | undefined;
  /** Records which worker the process has. */
  setWorker(worker: string): Promise<void>;
  /** Removes the node from the list. */
  close(): Promise<void>;
}

/**
 * Adds this process to the list of nodes, and sends heartbeats until it is closed. If the database is unavailable, the
 * node continues with what it knows.
 */
export async function openNode(database: Database, facts: NodeFacts, log: Logger): Promise<OwnNode> {
  const { host, roles, version, isOnly } = facts;
  const id = randomUUID();
  let worker: string | undefined;
  let drainReason: string | undefined;
  let isUnavailable = false;

  async function sendHeartbeat(): Promise<void> {
    const [row] = await database.query<{ drain_reason: string | null }>(
      `insert into nodes (id, host, roles, version, worker)
       select $1::uuid, $2::text, $3::text[], $4::text, $5::uuid from ${asynchronousCommit}
       on conflict (id) do update set beat_at = now(), worker = excluded.worker
       returning drain_reason`,
      [id, host, roles, version, worker ?? null],
    );
    setDrainReason(row?.drain_reason ?? undefined);
  }

  function setDrainReason(reason: string | undefined): void {
    if (reason === drainReason) return;
    if (reason === undefined) log.info('an administrator ended the drain of this node: it takes new work again');
    else log.warn({ reason }, 'an administrator drains this node: it takes no new work, and running work continues');
    drainReason = reason;
  }

  // While the database hangs, at most one heartbeat waits for the one before.
  const heartbeats = createCoalescingTask(
    async () => {
      await sendHeartbeat();
      isUnavailable = false;
    },
    (err) => {
      // Logged as a warning only once, because the next heartbeats fail for the same reason.
      log[isUnavailable ? 'debug' : 'warn']({ err }, 'the node could not send a heartbeat; it will be sent later');
      isUnavailable = true;
    },
  );

  await database.query(`delete from nodes where $1 or beat_at < now() - ${keptFor}`, [isOnly]);
  await sendHeartbeat();
  const stopListening = await database.listen(nodesChannel, (changed) => {
    if (changed === id) heartbeats.request();
  });
  const timer = setInterval(heartbeats.request, HEARTBEAT_INTERVAL_MS).unref();
  return {
    id,
    get drainReason() {
      return drainReason;
    },
    async setWorker(workerId) {
      worker = workerId;
      await sendHeartbeat();
    },
    async close() {
      clearInterval(timer);
      await stopListening();
      await heartbeats.settled();
      await database.query('delete from nodes where id = $1', [id]).catch((err: unknown) => {
        log.warn(
          { err },
          'the node could not be removed from the list of nodes; it will be listed as lost for an hour',
        );
      });
    },
  };
}
