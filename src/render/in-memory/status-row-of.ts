import type { StatusRow } from '../jobs/status-row.ts';
import { failureColumnsOf } from '../jobs/stored-failure.ts';
import type { JobRecord } from './records.ts';

/** How a job in memory stands. */
export function statusRowOf({ job, state, progress, file, error, createdAt, expiresAt }: JobRecord): StatusRow {
  return {
    id: job.id,
    state,
    progress,
    file_key: file?.key ?? null,
    file_name: file?.name ?? null,
    file_size: file?.size ?? null,
    file_link: file?.link ?? null,
    notes: file?.notes ?? null,
    ...failureColumnsOf(error),
    created_at: new Date(createdAt),
    expires_at: new Date(expiresAt),
  };
}
