import type { Logger } from 'pino';
import type { Sql } from '../database/database.ts';

interface Head {
  readonly id: string;
  readonly hash: string;
  readonly at: Date;
}

const DAY_MS = 86_400_000;
/** Longer than a run of the task may be late. */
const MARGIN_MS = 3_600_000;

/**
 * Creates a task that logs the newest entry of the audit log whenever there is a new one, so that a record of it exists
 * outside the database. It reports an entry that it has seen before and that is gone. It must run often.
 *
 * @param days Days after which entries may be deleted.
 */
export function createHeadWatch(sql: Sql, days: number, log: Logger): () => Promise<void> {
  let seen: Head | undefined;
  return async () => {
    const [head] = await sql.query<Head>(
      'select id::text, hash, at from audit_log where hash is not null order by audit_log.id desc limit 1',
    );
    const before = seen;
    seen = head;
    if (before?.hash === head?.hash) return;
    if (head !== undefined) log.info({ entry: head.id, hash: head.hash }, 'the audit log has a new entry');
    if (before === undefined || Date.now() - before.at.getTime() > days * DAY_MS - MARGIN_MS) return;
    const found = await sql.query('select 1 from audit_log where id = $1::text::bigint and hash = $2', [
      before.id,
      before.hash,
    ]);
    if (found.length > 0) return;
    log.error(
      { entry: before.id, hash: before.hash },
      'an entry of the audit log was changed or deleted in the database. Run "millrace admin audit verify".',
    );
  };
}
