import type { Sql } from '../../database/database.ts';

/** A stored file to check. */
export interface FileToCheck {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** In base64; null until it is computed. */
  readonly sha256: string | null;
  /** Time of its previous claim; null if it was never claimed. */
  readonly checkedAt: Date | null;
}

/**
 * Time after which the node of a claimed file without a hash counts as dead. An unreadable file waits for the same
 * time.
 */
const lease = `interval '10 minutes'`;

/** The stored files of all jobs as a queue of files to check. Each is claimed by one node at a time. */
interface CheckQueue {
  /** Claims a file that has no hash yet. */
  claimUnhashed(): Promise<FileToCheck | undefined>;
  /** Claims the file with the oldest check, if that was more than `seconds` ago. */
  claimOldest(seconds: number): Promise<FileToCheck | undefined>;
  /** Stores the hash of a file. */
  setHash(key: string, sha256: string): Promise<void>;
  /** Makes a file due again immediately, because it was not read. */
  release(file: FileToCheck): Promise<void>;
  /**
   * Makes a file due in ten minutes, because it was not read. The file was claimed by {@link claimOldest} with
   * `seconds`.
   */
  postpone(file: FileToCheck, seconds: number): Promise<void>;
}

/** Opens the queue. The jobs' rows are the queue, so it survives restarts. */
export function openCheckQueue(sql: Sql): CheckQueue {
  async function claim(which: string, ...parameters: unknown[]): Promise<FileToCheck | undefined> {
    const [row] = await sql.query<FileToCheck>(
      `with due as (
         select id, file_checked_at from render_jobs where state = 'done' and file_key is not null and expires_at > now() and ${which}
         limit 1 for update skip locked
       )
       update render_jobs as job set file_checked_at = now() from due where job.id = due.id
       returning file_key as key, file_size::float8 as size, file_sha256 as sha256, due.file_checked_at as "checkedAt"`,
      parameters,
    );
    return row;
  }

  return {
    claimUnhashed: () =>
      claim(`file_sha256 is null and (file_checked_at is null or file_checked_at < now() - ${lease})`),
    claimOldest: (seconds) =>
      claim(
        `file_sha256 is not null and file_checked_at < now() - $1::integer * interval '1 second'
         order by file_checked_at`,
        seconds,
      ),
    async setHash(key, sha256) {
      await sql.query(`update render_jobs set file_sha256 = $2 where file_key = $1 and state = 'done'`, [key, sha256]);
    },
    async release({ key, checkedAt }) {
      await sql.query(`update render_jobs set file_checked_at = $2 where file_key = $1 and state = 'done'`, [
        key,
        checkedAt,
      ]);
    },
    async postpone({ key }, seconds) {
      // A file without a hash waits for the lease anyway.
      await sql.query(
        `update render_jobs set file_checked_at = now() - $2::integer * interval '1 second' + ${lease}
         where file_key = $1 and state = 'done' and file_sha256 is not null`,
        [key, seconds],
      );
    },
  };
}
