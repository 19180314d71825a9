import type { Job } from '../../contract/job.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { requiredFormat } from './description-format.ts';

/** A job as it is stored in the database. */
export interface SealedJob {
  /** The format of its description (`description-format.ts`). */
  readonly format: number;
  /** The sealed description. */
  readonly description: string;
}

/** Seals a job for the database, because descriptions may contain a caller's cookies. */
export function sealJob(sealer: Sealer, job: Job, format = requiredFormat(job)): SealedJob {
  return { format, description: sealer.seal(purposeOf(format), job) };
}

/** Opens a job sealed by {@link sealJob}; returns undefined if its secret is no longer known. */
export function openJob(sealer: Sealer, { format, description }: SealedJob): Job | undefined {
  // Only sealJob() seals for these purposes, and its input was validated.
  return sealer.open(purposeOf(format), description) as Job | undefined;
}

/**
 * Returns the sealing purpose of a format. Version 0.1.0 does not know formats, and must not be able to open a
 * description whose format it cannot read and store it as a job.
 */
function purposeOf(format: number): 'job-description' | 'newer-job-description' {
  return format === 1 ? 'job-description' : 'newer-job-description';
}
