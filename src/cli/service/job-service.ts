import { parseUrl, validUrl } from '../../contract/parse-url.ts';
import type { Invocation } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import type { serviceOption } from './options.ts';
import { serviceAddress } from './session.ts';

/** Whether a job argument is a link. */
export function isLink(job: string): boolean {
  return /^https?:\/\//i.test(job) && parseUrl(job) !== null;
}

/**
 * Returns the service of a job: from the job's link, or from the options if the argument is an ID.
 *
 * @param link Name of the link that the command accepts.
 * @throws UsageError
 */
export function serviceOfJob(
  job: string,
  invocation: Pick<Invocation<typeof serviceOption>, 'values' | 'environment'>,
  link: 'sseStatusUrl' | 'executionUrl',
): string {
  if (isLink(job)) return validUrl(job).origin;
  if (job.includes('/'))
    throw new UsageError(`This is not a job ID. If you want to pass a link, use the ${link} of the job.`);
  const address = serviceAddress(invocation);
  if (address === undefined) throw new UsageError('Select the service of the job with --service or MILLRACE_URL.');
  return address;
}
