import { untilAborted } from '../../waiting/until-aborted.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { FileRequest } from './fetch-file.ts';
import type { FetchContext } from './locate-file.ts';

/** A file that a command would fetch. */
export interface PreviewedFile {
  readonly path: string;
  readonly label: string;
  /** Its size, which is an estimate if the file must be rendered; null if it is unknown. */
  readonly bytes: number | null;
}

/**
 * Returns what would be fetched, without starting a render.
 *
 * @throws Errors of the client.
 */
export async function previewFiles(
  requests: readonly FileRequest[],
  { session, reporter, signal }: FetchContext,
): Promise<readonly PreviewedFile[]> {
  const files: PreviewedFile[] = [];
  for (const { path, choice } of requests) {
    const { label, start, size = null } = choice;
    if (start === undefined) {
      files.push({ path, label, bytes: size });
      continue;
    }
    await untilAborted(session.ready(), signal);
    const { result, problems } = await session.client.renders.preview(start, { signal });
    for (const { message } of problems) reporter.say(sanitiseLine(message));
    files.push({ path, label, bytes: result.size ?? result.sizeAtMost });
  }
  return files;
}
