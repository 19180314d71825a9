import { checkVisitorLimits, countedMs, type Visitor } from '../jobs/visitor-limits.ts';
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
  const { visitorStarts } = records;
  const now = records.now();
  const counts = visitorStarts.filter(({ visitor, startedAt }) => visitor === id && startedAt > now - countedMs);
  const jobIds = new Set(counts.map((start) => start.jobId));
  const unfinished = records
    .all()
    .filter(({ job, state }) => job.id !== jobId && jobIds.has(job.id) && state !== 'done' && state !== 'failed');
  // The start that must no longer count before the next one.
  const blocking = isRestart ? undefined : counts.at(-limits.perDay);
  const wait = blocking === undefined ? 0 : blocking.startedAt + countedMs - now;
  checkVisitorLimits({ unfinished: unfinished.length, wait }, limits);
  if (!isRestart) visitorStarts.push({ visitor: id, jobId, startedAt: now });
}
