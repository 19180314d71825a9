import { MillraceClientError } from '#client/errors.ts';
import { additionLimits } from '../../contract/addition-limits.ts';
import { CommandError } from '../errors/command-errors.ts';
import { sidecarPath } from '../sidecars/sidecars.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import { type FileRequest, fetchFile } from './fetch-file.ts';
import type { GetContext } from './get-context.ts';
import { writeText } from './write-text.ts';

/** Limits of a cover image. That of its bytes also applies to covers in files. */
const coverLimits = { maxBytes: additionLimits.coverBytes, timeout: 120_000 };

/**
 * Saves the sidecars of a saved file, and returns their paths. One that cannot be fetched is reported and left out.
 *
 * @throws The signal's reason.
 */
export async function saveSidecars(
  { path: mediaPath, query, force, sidecars = [] }: FileRequest,
  context: GetContext,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const sidecar of sidecars) {
    const path = sidecarPath(mediaPath, sidecar);
    const { ending, text, url } = sidecar;
    try {
      if (text !== undefined) await writeText(path, text, force);
      if (url !== undefined) {
        const choice = { label: 'cover', ext: 'jpg', url };
        await fetchFile(
          { choice, query: `${query}${ending}`, path, force, keepPart: false },
          { ...context, small: coverLimits },
          context.terminal,
        );
      }
      paths.push(path);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof CommandError || error instanceof MillraceClientError)) throw error;
      context.reporter.say(sanitiseLine(`${path} is missing: ${error.message}`));
    }
  }
  return paths;
}
