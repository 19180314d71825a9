import type { Call } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import type { serviceOption } from './options.ts';
import { serviceAddress } from './session.ts';

/** Whether a job is named by one of its links. */
export function isLink(job: string): boolean {
  return /^https?:\/\//i.test(job) && URL.canParse(job);
}

/**
 * The service that has a job: a link names it, an id does not.
 *
 * @param link The link that the command takes, of those that a job has.
 * @throws UsageError
 */
export function serviceOfJob(
  job: string,
  call: Pick<Call<typeof serviceOption>, 'values' | 'environment'>,
  link: 'sseStatusUrl' | 'executionUrl',
): string {
  if (isLink(job)) return new URL(job).origin;
  if (job.includes('/')) throw new UsageError(`This is no id of a job. Of its links, the ${link} is meant.`);
  const address = serviceAddress(call);
  if (address === undefined) throw new UsageError('Say which service has the job, with --service or MILLRACE_URL.');
  return address;
}
