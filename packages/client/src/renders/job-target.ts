import type { JobDescription } from '../../../../src/contract/job.ts';

/** A job of your own. Without an ID, it gets one that cannot be guessed. */
export type NewJob = Omit<JobDescription, 'id'> & { readonly id?: string };

/**
 * A render to start: an execution URL, an object that contains one (a render config, a renderable item, or the response
 * for a stored job), or a job description, which needs a render key.
 */
export type Startable =
  | string
  | { readonly executionUrl: string }
  | { readonly renderConfig: { readonly executionUrl: string } }
  | NewJob;

/**
 * A job to cancel: an execution URL or an object that contains one, as in {@link Startable}; or the job's ID or the
 * response of a start call. The latter two need the render key that started the job.
 */
export type Cancellable = Exclude<Startable, NewJob> | { readonly jobId: string };

/** Returns the link that starts a render; undefined for a job description. */
export function executionUrlOf(target: Startable): string | undefined {
  if (typeof target === 'string') return target;
  if ('renderConfig' in target) return target.renderConfig.executionUrl;
  return 'executionUrl' in target ? target.executionUrl : undefined;
}

/** Returns a job with its ID, or with a new ID that cannot be guessed. */
export function withId(job: NewJob): JobDescription {
  if (job.id !== undefined) return { ...job, id: job.id };
  // Not randomUUID: it is missing in pages on plain http, such as those of a service on your local network.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { ...job, id: `job-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}` };
}

/** A render that has the same ID whenever it is started. */
export type FixedTarget = Exclude<Startable, NewJob> | JobDescription;

/** Gives a job description an ID if it has none. */
export function withFixedId(target: Startable): FixedTarget {
  return typeof target === 'object' && 'inputs' in target ? withId(target) : target;
}
