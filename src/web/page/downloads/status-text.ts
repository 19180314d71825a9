import type { SavedRender } from './saved-renders.ts';

const statuses: Readonly<Record<SavedRender['status'], string>> = {
  pending: 'Starting',
  queued: 'Waiting for its turn',
  downloading_inputs: 'Fetching',
  processing: 'Putting it together',
  uploading_output: 'Checking and storing',
  done: 'Ready',
  failed: 'Failed',
  lost: 'Lost from sight',
};

/** Describes the status of a render. */
export function statusText({ status, cancelled = false }: Pick<SavedRender, 'status' | 'cancelled'>): string {
  return cancelled ? 'Cancelled' : statuses[status];
}
