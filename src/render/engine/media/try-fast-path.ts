import { withFile } from '../binary/byte-source.ts';
import { type RemuxOutcome, remuxMp4 } from '../mp4/remux.ts';
import { packetBytes, syncByte } from '../mpeg-ts/demuxer.ts';
import { remuxTransportStream } from '../mpeg-ts/remux-transport-stream.ts';
import type { RequestedAdditions } from '../tasks/additions.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import type { TaskContext } from './sink.ts';

/**
 * Carries out an operation. Plain MP4 files and plain MPEG transport streams are copied without the media library, in
 * half the time. Everything else is processed with the library.
 *
 * @param logDebug - logs why the library was needed.
 * @param fallback - carries out the operation with the library (`process-with-library.ts`).
 * @throws as {@link remuxMp4}, {@link remuxTransportStream} and `fallback`.
 */
export async function tryFastPath(
  task: ProcessTask,
  additions: RequestedAdditions,
  environment: Pick<TaskContext, 'growingFiles' | 'pacer'>,
  logDebug: (text: string) => void,
  fallback: () => Promise<ProcessReport>,
): Promise<ProcessReport> {
  const outcome = await remux(task, additions, environment);
  if ('report' in outcome) return outcome.report;
  logDebug(`The fast path was declined: ${outcome.declined}`);
  return await fallback();
}

async function remux(
  task: ProcessTask,
  additions: RequestedAdditions,
  { growingFiles, pacer }: Pick<TaskContext, 'growingFiles' | 'pacer'>,
): Promise<RemuxOutcome> {
  const [input, ...others] = task.inputs;
  if (input !== undefined && others.length === 0) {
    const growing = growingFiles.get(0);
    await growing?.waitForBytes(packetBytes);
    if (withFile(input.path, (source) => source.read(0, 1)[0]) === syncByte) {
      return await remuxTransportStream(task, growing, pacer, additions);
    }
  }
  return growingFiles.size > 0
    ? { declined: 'only a transport stream can be copied while it is downloaded' }
    : await remuxMp4(task, pacer, additions);
}
