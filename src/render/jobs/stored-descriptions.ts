import { randomBytes } from 'node:crypto';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { Sql } from '../../database/database.ts';
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
  /** Stores a description for its job's ttl. */
  store(job: Job, owner: string): Promise<{ cacheId: string; expiresAt: Date }>;
  /** @throws MillraceError `not_found`; `service_unavailable` for a description of a newer version. */
  find(cacheId: string): Promise<StoredDescription>;
}

/** Opens the stored descriptions of a database. They are sealed, because they may contain a caller's cookies. */
export function openStoredDescriptions(sql: Sql, sealer: Sealer): StoredDescriptions {
  return {
    async store(job, owner) {
      const cacheId = newCacheId();
      const expiresAt = new Date(Date.now() + job.ttl);
      const { format, description } = sealJob(sealer, job);
      await sql.query(
        'insert into render_cache (cache_id, owner, format, description, expires_at) values ($1, $2, $3, $4, $5)',
        [cacheId, owner, format, description, expiresAt],
      );
      return { cacheId, expiresAt };
    },
    async find(cacheId) {
      if (!/^[\w-]{22}$/.test(cacheId)) throw descriptionNotFoundError();
      const [row] = await sql.query<SealedJob & { owner: string }>(
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

/** Returns an unguessable ID. */
export function newCacheId(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns the error for an ID without a stored description. */
export function descriptionNotFoundError(): MillraceError {
  return new MillraceError('not_found', 'No stored job description has this ID: it never existed, or has expired.');
}
