import type { SavedRender } from './saved-renders.ts';

const statuses: Readonly<Record<SavedRender['status'], string>> = {
  pending: 'Starting',
  queued: 'Queued',
  downloading_inputs: 'Fetching',
  processing: 'Processing',
  uploading_output: 'Verifying and storing',
  done: 'Ready',
  failed: 'Failed',
  lost: 'Status unavailable',
};

/** Describes the status of a render. */
export function statusText({ status, cancelled = false }: Pick<SavedRender, 'status' | 'cancelled'>): string {
  return cancelled ? 'Cancelled' : statuses[status];
}
