import { type CachedJob, descriptionNotFoundError, type JobCache, newCacheId } from '../jobs/job-cache.ts';

/** Stored job descriptions in memory. They are bounded by the few calls that one command makes. */
export function createInMemoryJobCache(now: () => number): JobCache {
  const entries = new Map<string, CachedJob & { readonly expiresAt: Date }>();
  return {
    async store(job, owner) {
      const cacheId = newCacheId();
      const expiresAt = new Date(now() + job.ttl);
      entries.set(cacheId, { job, owner, expiresAt });
      return { cacheId, expiresAt };
    },
    async find(cacheId) {
      const entry = entries.get(cacheId);
      if (entry === undefined || entry.expiresAt.getTime() <= now()) throw descriptionNotFoundError();
      return { job: entry.job, owner: entry.owner };
    },
  };
}
