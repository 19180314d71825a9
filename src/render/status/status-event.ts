import { receiptOf } from '../../contract/addresses.ts';
import { type NotFoundEvent, type RenderStatusEvent, sizeText } from '../../contract/job-status.ts';
import { testMember } from '../../contract/test-member.ts';
import { failureFromColumns } from '../jobs/failure-columns.ts';
import { jobNotFoundMessage } from '../jobs/job-not-found.ts';
import type { StatusRow } from '../jobs/status-row.ts';

/** Builds the public URL of a file from its sealed link and its name. */
export type FileUrlBuilder = (link: string, name: string) => string;

/** An event as JSON text, and whether it is the last one. */
export interface EncodedEvent {
  readonly text: string;
  readonly final: boolean;
}

/** Returns the event for an ID that no job has. */
export function encodeNotFoundEvent(id: string): EncodedEvent {
  const event: NotFoundEvent = {
    id,
    status: 'not_found',
    error: jobNotFoundMessage,
    error_code: 'not_found',
    retryable: false,
    input: null,
  };
  return { text: JSON.stringify(event), final: true };
}

/** Returns the event of a job; without a row, the event that no such job exists. */
export function encodeStatusEvent(id: string, row: StatusRow | undefined, linkTo: FileUrlBuilder): EncodedEvent {
  if (row === undefined) return encodeNotFoundEvent(id);
  return { text: JSON.stringify(statusEvent(row, linkTo)), final: row.state === 'done' || row.state === 'failed' };
}

/** Returns the status event of a job. */
export function statusEvent(row: StatusRow, linkTo: FileUrlBuilder): RenderStatusEvent {
  return {
    job_id: row.id,
    status: row.state,
    progress: row.progress,
    output: outputOf(row, linkTo),
    ...(row.delivery === null ? {} : { delivery: row.delivery }),
    ...failureFromColumns(row),
    request_id: row.request_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ...testMember(row.test),
  };
}

/** Returns the file of a job that is done. */
export function outputOf(row: StatusRow, linkTo: FileUrlBuilder): RenderStatusEvent['output'] {
  const { state, file_key: key, file_name: name, file_size: size, file_sha256: digest, file_link: link } = row;
  if (state !== 'done' || key === null || name === null || size === null || link === null) return null;
  const url = linkTo(link, name);
  const receipt = row.has_receipt ? receiptOf(url) : null;
  // The column has base64, as the Repr-Digest header does.
  const sha256 = digest === null ? null : Buffer.from(digest, 'base64').toString('hex');
  return { url, size, sizeText: sizeText(size), sha256, key, receipt, notes: [...(row.notes ?? [])] };
}
