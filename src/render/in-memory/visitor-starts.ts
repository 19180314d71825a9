import { networksOfVisitor } from '../../accounts/visitor.ts';
import type { CountedAs } from '../jobs/start-rules.ts';
import {
  checkVisitorLimits,
  countedMs,
  limitsOfTier,
  maxFreeRestarts,
  type Visitor,
  type VisitorLoad,
} from '../jobs/visitor-limits.ts';
import type { JobRecords, VisitorStart } from './job-records.ts';

/**
 * Counts a job that a visitor starts.
 *
 * @throws MillraceError `rate_limited` for too many jobs.
 */
export function countVisitorStart(records: JobRecords, { id, limits }: Visitor, jobId: string, as: CountedAs): void {
  const networks = networksOfVisitor(id);
  const counts = as === 'start' || (as === 'restart' && !isFreeRestart(records, id, jobId));
  for (const [tier, network] of networks.entries()) {
    const load = loadOf(records, network, limitsOfTier(limits, tier).perDay, jobId);
    checkVisitorLimits(counts ? load : { ...load, wait: 0 }, limits, tier);
  }
  if (!counts) return;
  const startedAt = records.now();
  for (const visitor of networks) records.visitorStarts.push({ visitor, jobId, startedAt, restarts: 0 });
}

/** Counts a restart of a job. Returns whether it counts as no start. */
function isFreeRestart(records: JobRecords, visitor: string, jobId: string): boolean {
  const starts = startsOf(records, visitor).filter((start) => start.jobId === jobId);
  for (const start of starts) start.restarts += 1;
  return starts.length > 0 && starts.every(({ restarts }) => restarts <= maxFreeRestarts);
}

/** Returns the starts of a network that count. */
function startsOf(records: JobRecords, network: string): readonly VisitorStart[] {
  const since = records.now() - countedMs;
  return records.visitorStarts.filter(({ visitor, startedAt }) => visitor === network && startedAt > since);
}

function loadOf(records: JobRecords, network: string, perDay: number, jobId: string): VisitorLoad {
  const now = records.now();
  const counts = startsOf(records, network);
  const jobIds = new Set(counts.map((start) => start.jobId));
  const jobs = records.all().filter(({ job }) => jobIds.has(job.id));
  const unfinished = jobs.filter(({ job, state }) => job.id !== jobId && state !== 'done' && state !== 'failed');
  const stored = jobs.filter(({ state, file, expiresAt }) => state === 'done' && file !== undefined && expiresAt > now);
  // The start that must no longer count before the next one.
  const blocking = counts.at(-perDay);
  return {
    unfinished: unfinished.length,
    wait: blocking === undefined ? 0 : blocking.startedAt + countedMs - now,
    storedSize: stored.reduce((sum, { file }) => sum + (file?.size ?? 0), 0),
    expiry: stored.length === 0 ? 0 : Math.min(...stored.map(({ expiresAt }) => expiresAt)) - now,
  };
}
