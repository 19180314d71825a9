import type { Invocation } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import type { serviceOption } from './options.ts';
import { serviceAddress } from './session.ts';

/** Whether a job argument is a link. */
export function isLink(job: string): boolean {
  return /^https?:\/\//i.test(job) && URL.canParse(job);
}

/**
 * Returns the service of a job: from a link, or from the options if the argument is an id.
 *
 * @param link The link of a job that the command accepts.
 * @throws UsageError
 */
export function serviceOfJob(
  job: string,
  invocation: Pick<Invocation<typeof serviceOption>, 'values' | 'environment'>,
  link: 'sseStatusUrl' | 'executionUrl',
): string {
  if (isLink(job)) return new URL(job).origin;
  if (job.includes('/')) throw new UsageError(`This is no id of a job. Of its links, the ${link} is meant.`);
  const address = serviceAddress(invocation);
  if (address === undefined) throw new UsageError('Say which service has the job, with --service or MILLRACE_URL.');
  return address;
}
