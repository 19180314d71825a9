import type { OutputContainer } from '../../../../contract/containers.ts';
import { limitNotes, type OutputNote } from '../../../../contract/output-notes.ts';
import { containerFormats } from '../../formats/container-formats.ts';
import { maxPadding, padFile } from '../../size/padding/padding.ts';
import { shortSeconds, sizeGoal } from '../../size/size-search.ts';
import { sizeUnreachableError } from '../../size/size-unreachable.ts';
import type { ProcessReport } from '../../tasks/report.ts';
import type { ProcessTask } from '../../tasks/task.ts';
import type { TaskContext } from '../sink.ts';
import { reachSize, type WriteResult } from './reach-size.ts';
import { type EncodedMedia, sizedMediaOf } from './sized-media.ts';

/**
 * Encodes a result repeatedly, until it has between 90 % and 100 % of its maximum size. If the encoders cannot use so
 * many bytes, the result is padded, or has a note.
 *
 * @throws MillraceError `size_unreachable`, or those of `write`.
 */
export async function encodeToSize(
  task: ProcessTask,
  maxBytes: number,
  encoded: EncodedMedia,
  write: WriteResult,
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const { trackPlan, settings } = encoded;
  const { path } = task.output;
  const known = sizedMediaOf(task, encoded);
  const report =
    known === undefined
      ? await writeOnce(maxBytes, () => write(settings, taskContext))
      : await reachSize({ ...known, path, maxBytes, settings }, write, taskContext);
  return padResult(report, path, trackPlan.container, maxBytes);
}

/** Writes a result whose encoders have no bit rate. */
async function writeOnce(maxBytes: number, write: () => Promise<ProcessReport>): Promise<ProcessReport> {
  const report = await write();
  if (report.bytes > maxBytes) throw sizeUnreachableError(maxBytes, report.duration, report.bytes);
  return report;
}

/** Pads a result that is too small, or adds a note. */
function padResult(report: ProcessReport, path: string, ext: OutputContainer, maxBytes: number): ProcessReport {
  const missing = Math.ceil(sizeGoal.min * maxBytes) - report.bytes;
  if (missing <= 0 || report.duration <= shortSeconds) return report;
  const withNote = (code: OutputNote['code'], message: string) => limitNotes([...report.notes, { code, message }]);
  const size = `The encoded streams have only ${report.bytes} bytes`;
  if (missing > maxPadding(ext)) {
    const { title } = containerFormats[ext];
    const limit = `${title} files can be padded by at most ${maxPadding(ext)} bytes`;
    return { ...report, notes: withNote('size_not_used', `${size}, and ${limit}.`) };
  }
  const padding = padFile(path, ext, missing);
  const message = `${size}, so ${padding} bytes of padding were added.`;
  return { ...report, bytes: report.bytes + padding, notes: withNote('size_padded', message) };
}
