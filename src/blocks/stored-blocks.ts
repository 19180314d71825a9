import { randomUUID } from 'node:crypto';
import { MillraceError } from '../contract/errors.ts';
import { type Database, notify, type Sql } from '../database/database.ts';
import { isUuid } from '../database/is-uuid.ts';
import type { Block, BlockTarget } from './block.ts';

/** Channel that is notified when the block list changes. */
export const blocksChannel = 'blocks';

/** Maximum number of entries, because each node keeps all of them in memory. */
const MAX_BLOCKS = 20_000;

/** A block to add. */
export interface NewBlock extends BlockTarget, Pick<Block, 'reason' | 'createdBy' | 'expiresAt'> {}

/** Records a change of a block in the transaction that makes it. `before` or `after` is undefined without the block. */
export type RecordBlock = (sql: Sql, before: Block | undefined, after: Block | undefined) => Promise<void>;

/** The block list in the database. */
export interface StoredBlocks {
  /** Returns the blocks that have not expired, newest first. */
  list(): Promise<readonly Block[]>;
  /**
   * Adds a block, or gives an existing one of the same target another reason and expiry.
   *
   * @throws MillraceError `conflict` if the list is full.
   */
  add(block: NewBlock, record: RecordBlock): Promise<Block>;
  /** Deletes a block. Returns undefined if no block has this ID. */
  remove(id: string, record: RecordBlock): Promise<Block | undefined>;
}

const columns = `id, kind, platform, value, reason, created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt", expires_at as "expiresAt"`;

/** Opens the block list of a database, with a maximum number of entries. Each change notifies all nodes. */
export function openStoredBlocks(database: Database, maxBlocks = MAX_BLOCKS): StoredBlocks {
  return {
    list: () =>
      database.query<Block>(
        `select ${columns} from blocks where expires_at is null or expires_at > now()
         order by created_at desc, id limit $1`,
        [maxBlocks],
      ),
    add: ({ kind, platform, value, reason, createdBy, expiresAt }, record) =>
      database.transaction(async (sql) => {
        await sql.query('delete from blocks where expires_at <= now()');
        const [former] = await sql.query<Block>(
          `select ${columns} from blocks where kind = $1 and platform = $2 and value = $3 for update`,
          [kind, platform, value],
        );
        const [block] = await sql.query<Block>(
          `insert into blocks (id, kind, platform, value, reason, created_by, expires_at)
           select $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::timestamptz
           where $8 or (select count(*) from blocks) < $9::integer
           on conflict (kind, platform, value)
             do update set reason = excluded.reason, expires_at = excluded.expires_at, updated_at = now()
           returning ${columns}`,
          [randomUUID(), kind, platform, value, reason, createdBy, expiresAt, former !== undefined, maxBlocks],
        );
        if (block === undefined) throw listFullError(maxBlocks);
        await record(sql, former, block);
        await notify(sql, blocksChannel, '');
        return block;
      }),
    async remove(id, record) {
      if (!isUuid(id)) return undefined;
      return await database.transaction(async (sql) => {
        const [block] = await sql.query<Block>(`delete from blocks where id = $1 returning ${columns}`, [id]);
        if (block === undefined) return undefined;
        await record(sql, block, undefined);
        await notify(sql, blocksChannel, '');
        return block;
      });
    },
  };
}

function listFullError(maxBlocks: number): MillraceError {
  const message = `The block list has ${maxBlocks} entries, its maximum. Delete entries that are no longer needed.`;
  return new MillraceError('conflict', message);
}
