import { receiptOf } from '../../contract/addresses.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import { liveText } from '../formatters/live-text.ts';
import { checkExtension } from '../naming/extension-wish.ts';
import { type SidecarContent, sidecarPath, sidecarsOf } from '../sidecars/sidecars.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import { type Choice, chooseFile, contentsFor } from './choose-file.ts';
import { standardOutput } from './destination.ts';
import type { Entry } from './entries.ts';
import type { Extracted } from './extract-entry.ts';
import { checkPath, type FileRequest, isExistingFile } from './fetch-file.ts';
import type { GetContext } from './get-context.ts';
import { allItems } from './items.ts';
import { checkSubtitlePaths } from './subtitle-files.ts';
import { fieldsOf } from './template-fields.ts';

/** The files of an entry. */
export interface FilePlan {
  /** The files to fetch. */
  readonly requests: readonly FileRequest[];
  /** The paths of the files that already exist and are kept. */
  readonly present: readonly string[];
}

/**
 * Chooses the files of an extracted link and their paths, and checks that they can be created.
 *
 * @throws CommandError if there is no such file, or its path exists; UsageError.
 */
export async function planFiles(extracted: Extracted, entry: Entry, context: GetContext): Promise<FilePlan> {
  const { link, quality, subtitles = [] } = extracted;
  const { values, shape, names, keepsExisting, reporter } = context;
  const { country, lang, force = false, receipt = false, 'write-subtitles': format = '' } = values;
  checkHasEnded(extracted);
  const choices = choicesOf(extracted, context);
  const paths = names.claim(candidatePaths(choices, extracted, entry, context));
  const requests = choices.map(({ choice, number }, index) => ({
    choice,
    query: JSON.stringify([
      ...[link.platform, link.endpoint, { ...link.parameters, country, lang }, quality, number],
      ...Object.entries(shape.parameters).map(([name, { value }]) => `${name}=${value}`),
    ]),
    path: paths[index] ?? '',
    force,
    receipt,
    keepPart: values['no-part'] !== true,
    sidecars: sidecarsOf(values, choice.ext, contentOf(extracted, choice, entry)),
  }));
  const present: string[] = [];
  for (const { path, choice, sidecars } of requests) {
    // The type of such a file says nothing about the name that the user gave it.
    if (choice.otherType === undefined) checkExtension(shape.extension, path, choice.ext);
    else if (path.endsWith(`.${choice.ext}`)) reporter.say(otherTypeWarning(path, choice.otherType));
    if (keepsExisting && !force && path !== standardOutput && (await isExistingFile(path))) {
      present.push(path);
      continue;
    }
    await checkPath(path, force);
    if (receipt) await checkPath(receiptOf(path), force);
    for (const sidecar of sidecars) await checkPath(sidecarPath(path, sidecar), force);
    await checkSubtitlePaths(subtitles, { mediaPath: path, format, force });
  }
  return { requests: requests.filter(({ path }) => !present.includes(path)), present };
}

/** Returns the warning about a file whose extension does not tell what it contains. */
function otherTypeWarning(path: string, type: string): string {
  const stated = type === '' ? 'no media type' : `the type ${type.slice(0, 80)}`;
  return sanitiseLine(
    `${path} may not be media: the service states ${stated}. Open it only if you trust it, or name it with --output.`,
  );
}

/** @throws CommandError if a broadcast has not ended. */
function checkHasEnded({ result: { metadata } }: Extracted): void {
  const state = liveText(metadata);
  if (state === undefined) return;
  const fact = state === 'LIVE' ? 'is live' : state;
  throw new CommandError(`This broadcast ${fact}. Run the command again after it ends.`, { retryable: true });
}

/** A chosen file, and the number of its content item. */
interface NumberedChoice {
  readonly choice: Choice;
  readonly number: number;
}

/** Returns what the sidecars of a file describe. */
function contentOf(extracted: Extracted, choice: Choice, entry: Entry): SidecarContent {
  const { metadata } = extracted.result;
  const title = titleOf(extracted, entry);
  const { platform = '', id = '', quality = '' } = fieldsOf(extracted, { title, index: entry.number }, choice);
  return { platform, id, title, quality, metadata };
}

/** Returns the title of the files of an entry. */
function titleOf({ link, result }: Extracted, { chapter }: Entry): string {
  const title = result.metadata.title ?? Object.values(link.parameters).join(' ');
  return chapter === undefined ? title : `${title} - ${chapter.name}`;
}

/** Returns the paths for the files of an entry, then those with its number, for an entry whose title is not unique. */
function candidatePaths(
  choices: readonly NumberedChoice[],
  extracted: Extracted,
  entry: Entry,
  { destination }: GetContext,
): readonly (readonly string[])[] {
  const title = titleOf(extracted, entry);
  const { index, number: entryNumber, collection } = entry;
  const numbersItems = choices.length > 1 && !(destination.writesIndex && index === undefined);
  const entrySuffixes = ['', ` (${index ?? entryNumber})`, ` (${entryNumber})`, ` (${index}) (${entryNumber})`];
  return entrySuffixes.map((entrySuffix) =>
    choices.map(({ choice, number }) => {
      const suffix = `${entrySuffix}${numbersItems ? ` (${number})` : ''}`;
      const position = index ?? (choices.length > 1 ? number : entryNumber);
      const fields = fieldsOf(extracted, { title, index: position, collection }, choice);
      return destination.pathOf({ title, suffix, ext: choice.ext, count: choices.length, fields });
    }),
  );
}

/** Chooses a file for each content item of a result, or only for the selected items. */
function choicesOf(
  { result: { contents = [] }, quality, videos }: Extracted,
  { values: { lang }, items = allItems, shape: { audioFormat, parameters } }: GetContext,
): readonly NumberedChoice[] {
  if (contents.length === 0)
    throw new CommandError('This link has no files to download. Run "millrace info" to see what it leads to.');
  const all = contents.map((content, index) => ({ content, number: index + 1 }));
  const selected = all.filter(({ number }) => items.includes(number, all.length));
  if (selected.length === 0) throw new UsageError(`--items must select numbers from 1 to ${all.length}.`);
  const [renderOption] = Object.values(parameters).map(({ option }) => option);
  return contentsFor(selected, { quality, audioFormat }).map(({ content, number }) => {
    const selection = { quality, video: videos?.[number - 1], audioFormat, language: lang, renderOption };
    return { choice: chooseFile(content, selection), number };
  });
}
