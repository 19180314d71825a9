import { Words } from '../media/library-log.ts';
import { processFiles } from '../media/process-files.ts';
import { Pace } from '../tasks/progress-pacer.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';

/** Carries out a task with the media library, whatever the files are. For {@link callMediaLibrary}. */
export function processWithoutFastPath(task: ProcessTask): Promise<ProcessReport> {
  const pace = new Pace(() => undefined, process.ppid);
  return processFiles(task, { words: new Words(task.directory), pace, threads: 1, arriving: new Map() });
}
