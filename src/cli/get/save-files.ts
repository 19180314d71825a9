import { standardOutput } from './destination.ts';
import type { Extracted } from './extract-entry.ts';
import { type FileRequest, fetchFile } from './fetch-file.ts';
import type { GetContext } from './get-context.ts';
import { saveSidecars } from './save-sidecars.ts';
import type { FetchedFile } from './stream-file.ts';
import { type SubtitleFile, saveSubtitles } from './subtitle-files.ts';

/** The saved files of a link. */
export interface SavedFiles {
  readonly files: readonly FetchedFile[];
  readonly subtitleFiles: readonly SubtitleFile[];
  /** The paths of all files. */
  readonly paths: readonly string[];
}

/**
 * Fetches the files of a link and saves its subtitles next to them.
 *
 * @throws CommandError about a path; errors of the client.
 */
export async function saveFiles(
  requests: readonly FileRequest[],
  { subtitles = [] }: Extracted,
  context: GetContext,
): Promise<SavedFiles> {
  const { values, terminal } = context;
  const { force = false, 'write-subtitles': format = '' } = values;
  const files: FetchedFile[] = [];
  const subtitleFiles: SubtitleFile[] = [];
  for (const request of requests) {
    const file = await fetchFile(request, context, terminal);
    const sidecars = await saveSidecars(request, context);
    files.push(sidecars.length === 0 ? file : { ...file, sidecars });
    subtitleFiles.push(...(await saveSubtitles(subtitles, { mediaPath: request.path, format, force })));
  }
  const written = [
    ...files.flatMap(({ path, sidecars = [] }) => [path, ...sidecars]),
    ...subtitleFiles.flatMap((file) => ('path' in file ? file.path : [])),
  ];
  return { files, subtitleFiles, paths: written.filter((path) => path !== standardOutput) };
}
