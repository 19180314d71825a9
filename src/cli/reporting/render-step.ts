import type { RenderStatusEvent } from '../../contract/job-status.ts';
import type { Step } from '../terminal/progress-line.ts';

const stages: Readonly<Record<RenderStatusEvent['status'], string>> = {
  pending: 'waiting for a worker',
  queued: 'waiting for a worker',
  downloading_inputs: 'rendering: fetching',
  processing: 'rendering: processing',
  uploading_output: 'rendering: storing',
  done: 'rendering: done',
  failed: 'rendering: failed',
};

/** Returns the step that a status event of a render reports. */
export function stepOf({ status, progress }: RenderStatusEvent): Step {
  const started = status !== 'pending' && status !== 'queued';
  return { stage: stages[status], fraction: started ? progress / 100 : undefined };
}
