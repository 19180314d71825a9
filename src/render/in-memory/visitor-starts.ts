import { networksOfVisitor } from '../../accounts/visitor.ts';
import { checkVisitorLimits, countedMs, limitsOfTier, type Visitor, type VisitorLoad } from '../jobs/visitor-limits.ts';
import type { JobRecords } from './job-records.ts';

/**
 * Counts a job that a visitor starts.
 *
 * @param isRestart Whether the job is already counted.
 * @throws MillraceError `rate_limited` for too many jobs.
 */
export function countVisitorStart(
  records: JobRecords,
  { id, limits }: Visitor,
  jobId: string,
  isRestart: boolean,
): void {
  const networks = networksOfVisitor(id);
  for (const [tier, network] of networks.entries()) {
    const { unfinished, wait } = loadOf(records, network, limitsOfTier(limits, tier).perDay, jobId);
    checkVisitorLimits({ unfinished, wait: isRestart ? 0 : wait }, limits, tier);
  }
  if (isRestart) return;
  for (const visitor of networks) records.visitorStarts.push({ visitor, jobId, startedAt: records.now() });
}

function loadOf(records: JobRecords, network: string, perDay: number, jobId: string): VisitorLoad {
  const now = records.now();
  const counts = records.visitorStarts.filter(
    ({ visitor, startedAt }) => visitor === network && startedAt > now - countedMs,
  );
  const jobIds = new Set(counts.map((start) => start.jobId));
  const unfinished = records
    .all()
    .filter(({ job, state }) => job.id !== jobId && jobIds.has(job.id) && state !== 'done' && state !== 'failed');
  // The start that must no longer count before the next one.
  const blocking = counts.at(-perDay);
  return { unfinished: unfinished.length, wait: blocking === undefined ? 0 : blocking.startedAt + countedMs - now };
}
