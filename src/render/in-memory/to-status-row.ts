import { toFailureColumns } from '../jobs/failure-columns.ts';
import type { StatusRow } from '../jobs/status-row.ts';
import type { JobRecord } from './job-records.ts';

/** Returns the status of a job in memory. */
export function toStatusRow(record: JobRecord): StatusRow {
  const { job, origin, state, progress, file, delivery, error, createdAt, expiresAt } = record;
  return {
    id: job.id,
    state,
    progress,
    file_key: file?.key ?? null,
    file_name: file?.name ?? null,
    file_size: file?.size ?? null,
    file_sha256: file?.sha256 ?? null,
    file_link: file?.link ?? null,
    has_receipt: file?.receipt !== undefined,
    notes: file?.notes ?? null,
    delivery: delivery ?? null,
    ...toFailureColumns(error),
    request_id: origin?.requestId ?? null,
    test: false,
    created_at: new Date(createdAt),
    expires_at: new Date(expiresAt),
  };
}
