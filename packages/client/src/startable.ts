import type { JobDescription } from '../../../src/contract/job.ts';

/** A job of one's own. Without an id it gets one that nobody can guess. */
export type NewJob = Omit<JobDescription, 'id'> & { readonly id?: string };

/**
 * What a render is started from: an execution URL, by itself, in a render config or a stored job's answer, or in a
 * renderable item; or the description of a job, for which the client needs a render key.
 */
export type Startable =
  | string
  | { readonly executionUrl: string }
  | { readonly renderConfig: { readonly executionUrl: string } }
  | NewJob;

/**
 * A job to cancel: an execution URL that starts it, wherever that stands; or its id, by itself or in what a start call
 * answered, for which the client needs the render key that started it.
 */
export type Cancellable = Exclude<Startable, NewJob> | { readonly jobId: string };

/** The link that starts it; undefined for a job of one's own. */
export function executionUrlOf(what: Startable): string | undefined {
  if (typeof what === 'string') return what;
  if ('renderConfig' in what) return what.renderConfig.executionUrl;
  return 'executionUrl' in what ? what.executionUrl : undefined;
}

/** A job of one's own, with an id that nobody can guess unless it has one. */
export function identified(job: NewJob): JobDescription {
  if (job.id !== undefined) return { ...job, id: job.id };
  // Not randomUUID: pages of plain http, such as a service on one's own machine, have none.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { ...job, id: `job-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}` };
}
