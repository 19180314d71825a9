import { isCollection } from '#client/collections/entry-lists.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { UsageError } from '../errors/command-errors.ts';
import { bestFilesLine } from '../formatters/best-files.ts';
import { qualityTable } from '../formatters/quality-table.ts';
import { printResult } from '../reporting/reporter.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { GetContext } from './get-context.ts';

/**
 * Prints the qualities of a link as a table for each of its items, or as JSON.
 *
 * @throws UsageError for a collection; errors of the client.
 */
export async function listQualities(link: RecognisedLink, context: GetContext): Promise<void> {
  const { values, session, signal, terminal, reporter } = context;
  if (isCollection(link)) {
    throw new UsageError('--list shows the qualities of one item. Use --dry-run or "millrace info" for a list.');
  }
  reporter.step({ stage: 'extracting' });
  const parameters = { countryCode: values.country, lang: values.lang };
  const { metadata, contents = [] } = await session.client.extractLink(link, parameters, { signal });
  reporter.close();
  if (values.json === true || values.events === true) {
    const items = contents.map(({ videos = [], audios = [], images = [] }) => ({ videos, audios, images }));
    await printResult(terminal, values, { title: metadata.title ?? null, platform: link.platform, items }, '');
    return;
  }
  if (metadata.title !== undefined) terminal.say(sanitiseLine(metadata.title), 'bold');
  for (const [index, content] of contents.entries()) {
    if (contents.length > 1) await terminal.print(`${index === 0 ? '' : '\n'}Item ${index + 1}\n`);
    terminal.say(bestFilesLine(content));
    await terminal.print(qualityTable(content));
  }
}
