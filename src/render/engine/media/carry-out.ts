import type { ProcessReport, ProcessTask } from '../engine.ts';
import { remuxMp4 } from '../mp4/remux.ts';
import type { Workbench } from './sink.ts';

/**
 * Carries out an operation. Plain MP4 files are copied without the media library, which takes half as long; everything
 * else, and what is still arriving, goes through the library.
 *
 * @param remark - receives the reason for the log if the library was needed.
 * @param process - carries the operation out with the library (`process.ts`).
 * @throws as {@link remuxMp4} and `process`.
 */
export async function carryOut(
  task: ProcessTask,
  { arriving, pace }: Pick<Workbench, 'arriving' | 'pace'>,
  remark: (text: string) => void,
  process: () => Promise<ProcessReport>,
): Promise<ProcessReport> {
  if (arriving.size > 0) return await process();
  const outcome = await remuxMp4(task, pace);
  if ('report' in outcome) return outcome.report;
  remark(`The fast path was declined: ${outcome.declined}`);
  return await process();
}
