import type { ProcessReport, ProcessTask } from '../engine.ts';
import { remuxMp4 } from '../mp4/remux.ts';
import { processFiles } from './process.ts';
import type { Workbench } from './sink.ts';

/**
 * Carries out an operation. Plain MP4 files are copied without the media library, which takes half as long; everything
 * else, and what is still arriving, goes through the library.
 *
 * @param remark - receives the reason for the log if the library was needed.
 * @throws as {@link remuxMp4} and {@link processFiles}.
 */
export async function carryOut(
  task: ProcessTask,
  bench: Workbench,
  remark: (text: string) => void,
): Promise<ProcessReport> {
  if (bench.arriving.size > 0) return await processFiles(task, bench);
  const outcome = await remuxMp4(task, bench.pace);
  if ('report' in outcome) return outcome.report;
  remark(`The fast path was declined: ${outcome.declined}`);
  return await processFiles(task, bench);
}
