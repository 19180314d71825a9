import type { Job } from '../../contract/job.ts';
import type { FragmentPlacer } from '../download/fragment-placer.ts';
import { placeFragments } from '../engine/mp4/fragment-placement/place-fragments.ts';
import { headLimits } from '../engine/tasks/task.ts';

/** Returns the placer of a job, which computes where the engine expects the fragments of its inputs. */
export function fragmentPlacerFor({ operation, output }: Job): FragmentPlacer {
  return {
    maxInputs: headLimits.count,
    headBytes: headLimits.bytes,
    place(heads) {
      if (operation.type === 'no_process') return { declined: 'the operation does not copy streams' };
      return placeFragments(heads, { type: operation.type, copyStreams: true }, output.ext);
    },
  };
}
