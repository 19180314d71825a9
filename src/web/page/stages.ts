import type { KeptFile } from './kept-files.ts';

const stages: Readonly<Record<KeptFile['status'], string>> = {
  pending: 'Starting',
  queued: 'Waiting for its turn',
  downloading_inputs: 'Fetching',
  processing: 'Putting it together',
  uploading_output: 'Checking and storing',
  done: 'Ready',
  failed: 'Failed',
  lost: 'Lost from sight',
};

/** What a render is at, in words. */
export function stageText({ status, cancelled = false }: Pick<KeptFile, 'status' | 'cancelled'>): string {
  return cancelled ? 'Cancelled' : stages[status];
}
