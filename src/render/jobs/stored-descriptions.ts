import { randomBytes } from 'node:crypto';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { advisoryLocks } from '../../database/advisory-locks.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { readableFormat } from './description-format.ts';
import { newerVersionError } from './newer-version-error.ts';
import { openJob, type SealedJob, sealJob } from './sealed-job.ts';

/** A stored job description. Anyone who has its ID can start it. */
export interface StoredDescription {
  readonly job: Job;
  readonly owner: string;
}

/** Stored job descriptions. */
export interface StoredDescriptions {
  /**
   * Stores a description for its job's ttl.
   *
   * @throws MillraceError `rate_limited` if the owner's quota is used up.
   */
  store(job: Job, owner: string, quota?: DescriptionQuota): Promise<{ cacheId: string; expiresAt: Date }>;
  /** @throws MillraceError `not_found`; `service_unavailable` for a description of a newer version. */
  find(cacheId: string): Promise<StoredDescription>;
}

/** What an owner may store at the same time. Expired descriptions do not count. */
export interface DescriptionQuota {
  readonly rows: number;
  /** Bytes of sealed descriptions. */
  readonly bytes: number;
}

const ROWS_PER_JOB = 50;
const BYTES_PER_JOB = 2 * 1024 * 1024;

/** Returns the quota of an account that may have this many unfinished jobs. */
export function descriptionQuota(jobsAtOnce: number): DescriptionQuota {
  return { rows: jobsAtOnce * ROWS_PER_JOB, bytes: jobsAtOnce * BYTES_PER_JOB };
}

/** Opens the stored descriptions of a database. They are sealed, because they may contain a caller's cookies. */
export function openStoredDescriptions(database: Database, sealer: Sealer): StoredDescriptions {
  return {
    async store(job, owner, quota) {
      const cacheId = newCacheId();
      const expiresAt = new Date(Date.now() + job.ttl);
      const { format, description } = sealJob(sealer, job);
      await database.transaction(async (sql) => {
        // Concurrent calls would not see each other's descriptions.
        await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [
          advisoryLocks.storedDescriptions,
          owner,
        ]);
        const rows = await sql.query(
          `insert into render_cache (cache_id, owner, format, description, expires_at)
           select $1, $2, $3::integer, $4, $5::timestamptz
           from (select count(*) as count, coalesce(sum(octet_length(description)), 0) as bytes
             from render_cache where owner = $2 and expires_at > now()) stored
           where $6::bigint is null or (count < $6::bigint and bytes + octet_length($4) <= $7::bigint)
           returning cache_id`,
          [cacheId, owner, format, description, expiresAt, quota?.rows ?? null, quota?.bytes ?? null],
        );
        if (rows.length === 0 && quota !== undefined) throw await quotaError(sql, owner, quota);
      });
      return { cacheId, expiresAt };
    },
    async find(cacheId) {
      if (!/^[\w-]{22}$/.test(cacheId)) throw descriptionNotFoundError();
      const [row] = await database.query<SealedJob & { owner: string }>(
        'select owner, format, description from render_cache where cache_id = $1 and expires_at > now()',
        [cacheId],
      );
      if (row === undefined) throw descriptionNotFoundError();
      if (row.format > readableFormat) throw newerVersionError('This stored job description');
      const job = openJob(sealer, row);
      if (job === undefined) throw descriptionNotFoundError();
      return { job, owner: row.owner };
    },
  };
}

async function quotaError(sql: Sql, owner: string, { rows, bytes }: DescriptionQuota): Promise<MillraceError> {
  const [next] = await sql.query<{ seconds: number | null }>(
    `select ceil(extract(epoch from min(expires_at) - now()))::integer as seconds
     from render_cache where owner = $1 and expires_at > now()`,
    [owner],
  );
  return new MillraceError(
    'rate_limited',
    `Your key can store ${rows} job descriptions or ${bytes / 1024 / 1024} MiB of them at the same time. Store this one ` +
      'when others have expired, start the job without storing it, or use a shorter ttl.',
    { retryAfter: Math.max(1, next?.seconds ?? 1) },
  );
}

/** Returns an unguessable ID. */
export function newCacheId(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns the error for an ID without a stored description. */
export function descriptionNotFoundError(): MillraceError {
  return new MillraceError('not_found', 'No stored job description has this ID: it never existed, or has expired.');
}
