import { sizeText } from '../../contract/size-text.ts';
import type { CommandReporter } from '../reporting/reporter.ts';
import { standardOutput } from './destination.ts';
import type { Entry } from './entries.ts';
import type { GetContext } from './get-context.ts';
import { getEntry } from './get-entry.ts';

/**
 * Fetches the files of a single link, and prints their paths.
 *
 * @throws UsageError, CommandError; errors of the client.
 */
export async function getOne(entry: Entry, context: GetContext, reporter: CommandReporter): Promise<void> {
  const { extracted, files, subtitleFiles, paths } = await getEntry(entry, context, (work) => work());
  const size = sizeText(files.reduce((sum, { bytes }) => sum + bytes, 0));
  if (files.length > 1) reporter.say(`Saved ${files.length} files (${size}) as`);
  else if (files.length === 1) reporter.say(`Saved ${size}${files[0]?.path === standardOutput ? '' : ' as'}`);
  const { link, result, notes, subtitles } = extracted;
  const facts = {
    title: result.metadata.title ?? null,
    platform: link.platform,
    files,
    notes,
    ...(subtitles === undefined ? {} : { subtitles: subtitleFiles }),
  };
  await reporter.result(facts, paths.map((path) => `${path}\n`).join(''));
}
