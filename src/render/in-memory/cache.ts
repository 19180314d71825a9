import { type CachedJob, type JobCache, newCacheId, notStored } from '../jobs/stored-descriptions.ts';

/** Stored job descriptions in memory. They are bounded by the few calls that one command makes. */
export function cacheInMemory(now: () => number): JobCache {
  const stored = new Map<string, CachedJob & { readonly expiresAt: Date }>();
  return {
    async store(job, owner) {
      const cacheId = newCacheId();
      const expiresAt = new Date(now() + job.ttl);
      stored.set(cacheId, { job, owner, expiresAt });
      return { cacheId, expiresAt };
    },
    async find(cacheId) {
      const entry = stored.get(cacheId);
      if (entry === undefined || entry.expiresAt.getTime() <= now()) throw notStored();
      return { job: entry.job, owner: entry.owner };
    },
  };
}
