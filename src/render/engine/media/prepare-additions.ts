import { coverLeftOut, requestedAdditions } from '../additions/requested-additions.ts';
import { containerFormats, isOutputContainer } from '../formats/container-formats.ts';
import type { RequestedAdditions } from '../tasks/additions.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { CoverOutcome } from './covers/load-cover.ts';

/**
 * Prepares what a task adds to its result. A cover that cannot be stored is left out, with a note.
 *
 * @param loadCover - decodes the cover at a path.
 */
export async function prepareAdditions(
  task: Pick<ProcessTask, 'output' | 'clip'>,
  loadCover: (path: string) => Promise<CoverOutcome>,
): Promise<RequestedAdditions> {
  const additions = requestedAdditions(task);
  const { ext, cover } = task.output;
  if (cover === undefined || !isOutputContainer(ext)) return additions;
  const { title, storesCover } = containerFormats[ext];
  const outcome = storesCover === true ? await loadCover(cover.path) : { omissionReason: `${title} cannot store it` };
  return 'cover' in outcome
    ? { ...additions, cover: outcome.cover }
    : { ...additions, notes: [...additions.notes, coverLeftOut(outcome.omissionReason)] };
}
