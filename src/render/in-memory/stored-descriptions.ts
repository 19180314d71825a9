import {
  descriptionNotFoundError,
  newCacheId,
  type StoredDescription,
  type StoredDescriptions,
} from '../jobs/stored-descriptions.ts';

/**
 * Creates the stored job descriptions in memory. Their number needs no limit, because one command makes only a few
 * calls.
 */
export function createInMemoryStoredDescriptions(now: () => number): StoredDescriptions {
  const entries = new Map<string, StoredDescription & { readonly expiresAt: Date }>();
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
