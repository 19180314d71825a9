import type { ErrorCode } from '../../contract/errors.ts';
import type { JobState } from '../../contract/job-status.ts';
import type { Sql } from '../../database/database.ts';
import type { FileRow } from './file-facts.ts';
import { failLostFiles } from './lost-files.ts';

/** The file of a job. */
export interface ResultFile extends FileRow {
  readonly state: JobState;
  readonly error_code: ErrorCode | null;
  /** In base64; null until it was computed. */
  readonly file_sha256: string | null;
  /** The item and the channel that the file was made from, as the block list names them; null if they are not known. */
  readonly subjects: readonly string[] | null;
}

/** The files of jobs. */
export interface ResultFiles {
  /** Returns the file with this key; undefined if no job has it, or the job has expired. */
  find(key: string): Promise<ResultFile | undefined>;
  /** Returns the receipt of the file with this key as JSON; undefined if it has none. */
  findReceipt(key: string): Promise<string | undefined>;
  /**
   * Marks the jobs of lost files as failed; see {@link failLostFiles}. Returns the number of jobs that this call has
   * failed.
   */
  failLostFiles(keys: readonly string[]): Promise<number>;
}

/** Returns the result files of a database's jobs. */
export function resultFilesOf(sql: Sql): ResultFiles {
  return {
    async find(key) {
      const [row] = await sql.query<ResultFile>(
        `select state, error_code, file_name, file_size::float8 as file_size, file_sha256, expires_at,
           subjects from render_jobs where file_key = $1 and expires_at > now()`,
        [key],
      );
      return row;
    },
    async findReceipt(key) {
      const [row] = await sql.query<{ receipt: string | null }>(
        'select receipt from render_jobs where file_key = $1 and expires_at > now()',
        [key],
      );
      return row?.receipt ?? undefined;
    },
    failLostFiles: (keys) => failLostFiles(sql, keys),
  };
}
