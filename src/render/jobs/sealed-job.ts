import type { Job } from '../../contract/job.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { requiredFormat } from './description-format.ts';

/** A job as the database stores it. */
export interface SealedJob {
  /** The format of its description (`description-format.ts`). */
  readonly format: number;
  /** The sealed description. */
  readonly description: string;
}

/** Seals a job for the database: descriptions may hold a caller's cookies. */
export function sealJob(sealer: Sealer, job: Job, format = requiredFormat(job)): SealedJob {
  return { format, description: sealer.seal(purposeOf(format), job) };
}

/** Opens what {@link sealJob} made; undefined if its secret is no longer known. */
export function openJob(sealer: Sealer, { format, description }: SealedJob): Job | undefined {
  // Only sealJob() seals for these purposes, and what it seals was checked.
  return sealer.open(purposeOf(format), description) as Job | undefined;
}

/** Version 0.1.0 knows no formats. It must not open, and store again, what it cannot read. */
function purposeOf(format: number): 'job-description' | 'newer-job-description' {
  return format === 1 ? 'job-description' : 'newer-job-description';
}
