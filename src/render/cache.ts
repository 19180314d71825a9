import { randomBytes } from 'node:crypto';
import { MillraceError } from '../contract/errors.ts';
import type { Job } from '../contract/job.ts';
import type { Sql } from '../database/database.ts';
import type { Sealer } from '../sealing.ts';

/** A job description that is stored for whoever holds its id. */
export interface CachedJob {
  readonly job: Job;
  readonly owner: string;
}

/** Stored job descriptions. */
export interface JobCache {
  /** Keeps a description for its job's ttl. */
  store(job: Job, owner: string): Promise<{ cacheId: string; expiresAt: Date }>;
  /** @throws MillraceError `not_found`. */
  find(cacheId: string): Promise<CachedJob>;
}

/** Opens the stored descriptions of a database. They are sealed, since they may hold a caller's cookies. */
export function openJobCache(sql: Sql, sealer: Sealer): JobCache {
  return {
    async store(job, owner) {
      const cacheId = randomBytes(16).toString('base64url');
      const expiresAt = new Date(Date.now() + job.ttl);
      await sql.query('insert into render_cache (cache_id, owner, description, expires_at) values ($1, $2, $3, $4)', [
        cacheId,
        owner,
        sealer.seal('job-description', job),
        expiresAt,
      ]);
      return { cacheId, expiresAt };
    },
    async find(cacheId) {
      if (!/^[\w-]{22}$/.test(cacheId)) throw notStored();
      const [row] = await sql.query<{ owner: string; description: string }>(
        'select owner, description from render_cache where cache_id = $1 and expires_at > now()',
        [cacheId],
      );
      // Sealed by store() from a checked job.
      const job = row === undefined ? undefined : (sealer.open('job-description', row.description) as Job | undefined);
      if (row === undefined || job === undefined) throw notStored();
      return { job, owner: row.owner };
    },
  };
}

function notStored(): MillraceError {
  return new MillraceError('not_found', 'No stored job description has this id: it never existed, or has expired.');
}
