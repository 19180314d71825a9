import type { Job } from '../../contract/job.ts';
import type { ProcessTask, TaskOperation, TaskOutput } from '../engine/tasks/task.ts';

/** What a task does, independent of how its inputs were fetched and where its result is written. */
export interface TaskParameters extends Pick<ProcessTask, 'operation' | 'clip'> {
  readonly output: Omit<TaskOutput, 'path'>;
}

/**
 * Returns the parameters of a job's task.
 *
 * @param type - the operation of the job, which is one of the engine.
 * @param cover - the cover image that the job adds, if it was fetched.
 */
export function taskParametersOf(
  { operation, output, clip }: Job,
  type: TaskOperation['type'],
  cover: TaskOutput['cover'],
): TaskParameters {
  const { ext, metadata, chapters, maxSize } = output;
  return {
    operation: { ...operation, type },
    output: {
      ext,
      ...(metadata === undefined ? {} : { metadata }),
      ...(chapters === undefined ? {} : { chapters }),
      ...(cover === undefined ? {} : { cover }),
      ...(maxSize === undefined ? {} : { maxSize }),
    },
    ...(clip === undefined ? {} : { clip }),
  };
}
