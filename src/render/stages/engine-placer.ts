import type { Job } from '../../contract/job.ts';
import type { FragmentPlacer } from '../download/fragment-placer.ts';
import { requestedAdditions } from '../engine/additions/requested-additions.ts';
import { placeFragments } from '../engine/mp4/fragment-placement/place-fragments.ts';
import { headLimits } from '../engine/tasks/task.ts';
import { isMeasured } from '../engine/timing/duration-rules.ts';
import { taskParametersOf } from './task-parameters.ts';

/** Returns the placer of a job, which computes where the engine expects the fragments of its inputs. */
export function fragmentPlacerFor(job: Job): FragmentPlacer {
  return {
    maxInputs: headLimits.count,
    minBytes: 8 * 1024 * 1024,
    headBytes: headLimits.bytes,
    place(heads) {
      const { operation, output } = job;
      const { type } = operation;
      if (type === 'no_process' || type === 'slideshow') return { declined: 'the operation does not copy streams' };
      if (operation.loudness !== undefined) return { declined: 'the loudness must be measured' };
      if (isMeasured(operation.duration)) return { declined: 'the durations must be measured' };
      // Its size is not known yet, and it goes before the media.
      if (output.cover !== undefined) return { declined: 'the result has a cover' };
      const additions = requestedAdditions(taskParametersOf(job, type, undefined));
      return placeFragments(heads, { type, copyStreams: true }, output.ext, additions);
    },
  };
}
