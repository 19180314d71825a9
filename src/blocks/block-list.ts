import type { Logger } from 'pino';
import type { SubjectReader } from '../contract/subjects.ts';
import type { Database } from '../database/database.ts';
import { createCoalescingTask } from '../waiting/coalescing-task.ts';
import { type BlockIndex, createBlockIndex } from './block-index.ts';
import { blocksChannel, openStoredBlocks, type StoredBlocks } from './stored-blocks.ts';

/** Interval at which a node checks for changes that it was not notified of. */
const POLL_INTERVAL_MS = 10_000;

/** The block list of a service. Lookups use the memory of this node, which follows the database until it is closed. */
export interface BlockList extends BlockIndex, StoredBlocks {
  close(): Promise<void>;
}

/** Opens the block list. If the database is unavailable later, the node continues with the blocks that it knows. */
export async function openBlockList(database: Database, reader: SubjectReader, log: Logger): Promise<BlockList> {
  const stored = openStoredBlocks(database);
  let index: BlockIndex = createBlockIndex([], reader);
  /** The state of the table that {@link index} was made from. */
  let knownState = '';

  /** Reads the list if it has changed. */
  async function read(): Promise<void> {
    const state = await stateOf(database);
    if (state === knownState) return;
    index = createBlockIndex(await stored.list(), reader);
    knownState = state;
  }

  // Reads follow each other, so that an older list never replaces a newer one.
  const reads = createCoalescingTask(read, (err) =>
    log.warn({ err }, 'the block list could not be read; that will be retried'),
  );

  /** Makes a change, and applies it on this node before its caller gets a response. */
  async function applied<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    reads.request();
    await reads.settled();
    return result;
  }

  await read();
  const stopListening = await database.listen(blocksChannel, reads.request);
  // A change between the first read and the subscription was not notified.
  reads.request();
  const timer = setInterval(reads.request, POLL_INTERVAL_MS).unref();
  return {
    get hasSubjects() {
      return index.hasSubjects;
    },
    refusalOf: (subjects) => index.refusalOf(subjects),
    refusalOfOrigin: (origin) => index.refusalOfOrigin(origin),
    subjectsOfOrigin: (origin) => index.subjectsOfOrigin(origin),
    refusalOfHost: (host) => index.refusalOfHost(host),
    list: stored.list,
    add: (block, record) => applied(stored.add(block, record)),
    remove: (id, record) => applied(stored.remove(id, record)),
    async close() {
      clearInterval(timer);
      await stopListening();
      await reads.settled();
    },
  };
}

/** Returns a text that differs after every change of the list. */
async function stateOf(database: Database): Promise<string> {
  const [row] = await database.query<{ state: string }>(
    `select count(*) || ' ' || coalesce(sum(extract(epoch from updated_at)), 0) as state from blocks`,
  );
  return row?.state ?? '';
}
