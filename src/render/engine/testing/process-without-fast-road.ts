import type { ProcessReport, ProcessTask } from '../engine.ts';
import { Pace } from '../media/pace.ts';
import { processFiles } from '../media/process.ts';
import { Words } from '../media/words.ts';

/** Carries out a task with the media library, whatever the files are. For {@link callMediaLibrary}. */
export function processWithoutFastRoad(task: ProcessTask): Promise<ProcessReport> {
  const pace = new Pace(() => undefined, process.ppid);
  return processFiles(task, { words: new Words(task.directory), pace, threads: 1, arriving: new Map() });
}
