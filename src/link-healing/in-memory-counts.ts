import {
  type CountedRequest,
  countedHours,
  MAX_INPUT_REPLACEMENTS,
  MAX_REQUESTS,
  type ReplacementCounts,
} from './replacement-counts.ts';

/** More sealed URLs than a command ever has. The links of further ones are not replaced. */
const MAX_ENTRIES = 10_000;

interface PastRequest extends Pick<CountedRequest, 'input'> {
  readonly at: number;
}

/** Creates counts for a command without a database. They are lost when it ends. */
export function createInMemoryCounts(now: () => number = Date.now, maxEntries = MAX_ENTRIES): ReplacementCounts {
  const entries = new Map<string, readonly PastRequest[]>();

  /** Removes requests that no longer count. */
  function removeOld(): void {
    const since = now() - countedHours * 3_600_000;
    for (const [key, requests] of entries) {
      const recent = requests.filter(({ at }) => at > since);
      if (recent.length === 0) entries.delete(key);
      else entries.set(key, recent);
    }
  }

  return {
    async take({ subject, item, input }) {
      removeOld();
      const key = JSON.stringify([subject, item]);
      const requests = entries.get(key) ?? [];
      if (requests.length >= MAX_REQUESTS || (requests.length === 0 && entries.size >= maxEntries)) return false;
      const ofInput = requests.filter(
        ({ input: other }) => input !== undefined && other?.start === input.start && other.index === input.index,
      );
      if (ofInput.length >= MAX_INPUT_REPLACEMENTS) return false;
      entries.set(key, [...requests, { at: now(), ...(input === undefined ? {} : { input }) }]);
      return true;
    },
  };
}
