import type { ExtractionResponse } from '#client/extraction.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { receiptOf } from '../../contract/addresses.ts';
import { parseClip } from '../../contract/parse-clip.ts';
import { routineNotes } from '../../contract/routine-notes.ts';
import { sizeText } from '../../contract/size-text.ts';
import { chooseLink } from '../command-line/choose-link.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import { type Choice, chooseFile, contentsFor } from '../get/choose-file.ts';
import { resolveDestination, standardOutput } from '../get/destination.ts';
import { checkPath, fetchFile } from '../get/fetch-file.ts';
import { type FileShape, fileOptions, listOf, parametersFor, readFileShape } from '../get/file-options.ts';
import { promptQuality } from '../get/prompt-quality.ts';
import { formatsFor, namedQualities } from '../get/quality.ts';
import { checkReceiptOption, receiptOption } from '../get/save-receipt.ts';
import type { FetchedFile } from '../get/stream-file.ts';
import {
  checkSubtitleOption,
  checkSubtitlePaths,
  cutSubtitles,
  fetchSubtitles,
  type SubtitleFile,
  type Subtitles,
  saveSubtitles,
  subtitleFileOption,
} from '../get/subtitle-files.ts';
import { createReporter, reportOptions } from '../reporting/reporter.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession, type Session } from '../service/session.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';

const options = {
  quality: {
    type: 'string',
    value: '<quality>',
    suggestions: [...namedQualities, '360p', '480p', '720p', '1080p', '1440p', '2160p'],
    description:
      'best (default), worst, audio, image, or a label from info. Without this option, get prompts for it on a terminal.',
  },
  output: {
    type: 'string',
    short: 'o',
    value: '<path>',
    description: 'File or folder to write to; - for standard output.',
  },
  item: {
    type: 'string',
    value: '<number>',
    description: 'Download only this item of a post with several images or videos; starts at 1.',
  },
  ...fileOptions,
  ...subtitleFileOption,
  country: { type: 'string', value: '<code>', description: 'Country to send requests from, such as fr.' },
  lang: {
    type: 'string',
    value: '<code>',
    description: 'Language of titles, and of the audio if there are several; such as de.',
  },
  force: { type: 'boolean', short: 'f', description: 'Overwrite existing files.' },
  ...receiptOption,
  ...reportOptions,
  ...serviceOptions,
} as const satisfies Options;

type GetInvocation = Invocation<typeof options>;

/** `millrace get`. */
export const getCommand = defineCommand({
  name: 'get',
  summary: 'Download a video, its audio or its images as files.',
  usage: ['<link|id>'],
  arity: [1, 1],
  options,
  details: `An incomplete download is stored as name.part. Run the same command again to resume an interrupted download. Existing
files are only overwritten with --force. The command prints the paths of the files.

  millrace get 'https://www.youtube.com/watch?v=…' --quality 720p
  millrace get 'https://www.youtube.com/watch?v=…' --audio mp3
  millrace get 'https://www.youtube.com/watch?v=…' --quality 1080p --clip 1:00-1:30 --subtitles en
  millrace get 'https://www.youtube.com/watch?v=…' --max-size 8MB
  millrace get 'https://www.tiktok.com/@…/photo/…' --slideshow
  millrace get 'https://www.instagram.com/p/…' --output images/
  millrace get '…' --quality audio --output - | ffplay -`,
  async run(invocation) {
    const { values, terminal, signal, positionals } = invocation;
    const shape = readFileShape(values, values['write-subtitles'] !== undefined);
    const link = await chooseLink(positionals[0] ?? '', terminal, signal, isForProgram(values));
    const shapeParameters = parametersFor(link, shape);
    if (values['write-subtitles'] !== undefined) checkSubtitleOption(link, values.output);
    await checkOutput(invocation);
    const reporter = createReporter(terminal, values);
    const session = await openSession(invocation, 'extraction', {
      renders: true,
      onStart: () => reporter.step({ stage: 'starting' }),
    });
    try {
      if (values.receipt === true) checkReceiptOption(values.output, session);
      reporter.step({ stage: 'extracting' });
      const parameters = { countryCode: values.country, lang: values.lang };
      const quality = await qualityOf(
        invocation,
        shape,
        () => session.client.extractLink(link, parameters, { signal }),
        reporter.close,
      );
      const result = await session.client.extractLink(
        link,
        { ...parameters, ...extraParameters(link, quality, shape), ...shapeParameters },
        { signal },
      );
      for (const note of notesOnFiles(result)) reporter.say(`Note: ${sanitiseLine(note)}`);
      const context = { link, quality, shape, result, session, reporter };
      const subtitles = await subtitlesOf(invocation, context);
      const { files, subtitleFiles } = await fetchFiles(invocation, context, subtitles);
      const facts = {
        title: result.metadata.title ?? null,
        platform: link.platform,
        files,
        notes: notesOnFiles(result),
        ...(subtitles === undefined ? {} : { subtitles: subtitleFiles }),
      };
      const allFiles = [...files, ...subtitleFiles.filter((file) => 'path' in file)];
      const paths = allFiles.map(({ path }) => path).filter((path) => path !== standardOutput);
      for (const { path, bytes } of files) reporter.say(`Saved ${sizeText(bytes)}${path === '-' ? '' : ' as'}`);
      await reporter.result(facts, paths.map((path) => `${path}\n`).join(''));
      return 0;
    } finally {
      reporter.close();
      await session.close();
    }
  },
});

/** Validates the output options before any request. */
async function checkOutput({ values, terminal }: GetInvocation): Promise<void> {
  const { output, json, events } = values;
  if (output === undefined) return;
  if (output !== standardOutput) {
    await checkPath(output, values.force === true);
    return;
  }
  if (json === true || events === true) {
    throw new UsageError('--output - cannot be combined with --json or --events: both write to standard output.');
  }
  if (terminal.outputIsTerminal) {
    throw new UsageError('The file cannot be written to a terminal. Use --output - with a pipe.');
  }
}

/** Returns whether the output is for a program, which cannot respond to a prompt. */
function isForProgram({ json, events, quiet }: GetInvocation['values']): boolean {
  return json === true || events === true || quiet === true;
}

async function qualityOf(
  invocation: GetInvocation,
  shape: FileShape,
  fetchResult: () => Promise<ExtractionResponse>,
  clear: () => void,
): Promise<string> {
  const { values, terminal, signal } = invocation;
  if (shape.quality !== undefined) return shape.quality;
  if (isForProgram(values) || !terminal.interactive) return 'best';
  const result = await fetchResult();
  clear();
  return await promptQuality(result, terminal, signal);
}

/** Returns the request parameters that are not part of the link. */
function extraParameters(
  link: RecognisedLink,
  quality: string,
  { audioFormat }: FileShape,
): Readonly<Record<string, readonly string[] | string>> {
  if (audioFormat !== undefined) return {};
  const formats = formatsFor(link, quality);
  // The audio of p1 is on the site's own servers, which serve only the client that loaded the page. With the relay,
  // that client is Millrace.
  const relayParameter = link.platform === 'p1' && quality === 'audio' ? { urlAccess: 'proxied' } : {};
  return { ...(formats.length === 0 ? {} : { renderableFormats: formats }), ...relayParameter };
}

interface GetContext {
  readonly link: RecognisedLink;
  readonly quality: string;
  readonly shape: FileShape;
  readonly result: ExtractionResponse;
  readonly session: Session;
  readonly reporter: ReturnType<typeof createReporter>;
}

/** Returns the notes of a result, without those that say nothing about its files. */
function notesOnFiles({ notes = [] }: ExtractionResponse): readonly string[] {
  return notes.filter((note) => !Object.values(routineNotes).some((beginning) => note.startsWith(beginning)));
}

/** Fetches the subtitles to save as files; undefined if none are requested. */
async function subtitlesOf(
  { values, signal }: GetInvocation,
  { link, session, reporter }: GetContext,
): Promise<readonly Subtitles[] | undefined> {
  if (values['write-subtitles'] === undefined) return undefined;
  const subtitles = await fetchSubtitles(link, listOf(values.subtitles), session, signal);
  for (const one of subtitles) if ('error' in one) reporter.say(`Subtitles are missing: ${one.error}`);
  const clip = values.clip === undefined ? undefined : parseClip(values.clip);
  return typeof clip === 'object' ? cutSubtitles(subtitles, clip) : subtitles;
}

async function fetchFiles(
  invocation: GetInvocation,
  { link, quality, shape, result, ...context }: GetContext,
  subtitles: readonly Subtitles[] = [],
): Promise<{ readonly files: readonly FetchedFile[]; readonly subtitleFiles: readonly SubtitleFile[] }> {
  const { values, terminal, signal } = invocation;
  const { country, lang, force = false, receipt = false, 'write-subtitles': format = '' } = values;
  const destination = await resolveDestination(values.output);
  const choices = choicesOf(result, quality, shape, values);
  const title = result.metadata.title ?? Object.values(link.parameters).join(' ');
  const requests = choices.map(({ choice, number }) => ({
    choice,
    query: JSON.stringify([
      ...[link.platform, link.endpoint, { ...link.parameters, country, lang }, quality, number],
      ...Object.entries(shape.parameters).map(([name, { value }]) => `${name}=${value}`),
    ]),
    path: destination.pathOf({ title, ext: choice.ext, number, count: choices.length }),
    force,
    receipt,
  }));
  for (const { path } of requests) {
    await checkPath(path, force);
    if (receipt) await checkPath(receiptOf(path), force);
    await checkSubtitlePaths(subtitles, { mediaPath: path, format, force });
  }
  const files: FetchedFile[] = [];
  const subtitleFiles: SubtitleFile[] = [];
  for (const request of requests) {
    files.push(await fetchFile(request, { ...context, signal }, terminal));
    subtitleFiles.push(...(await saveSubtitles(subtitles, { mediaPath: request.path, format, force })));
  }
  return { files, subtitleFiles };
}

/** Chooses a file for each content item of a result, or only for the selected item. */
function choicesOf(
  { contents = [] }: ExtractionResponse,
  quality: string,
  { audioFormat, parameters }: FileShape,
  { item, lang }: GetInvocation['values'],
): readonly { readonly choice: Choice; readonly number: number }[] {
  if (contents.length === 0)
    throw new CommandError('This link has no files to download. Run "millrace info" to see what it leads to.');
  const all = contents.map((content, index) => ({ content, number: index + 1 }));
  const selectedNumber = item === undefined ? undefined : parseWholeNumber('item', item, 1);
  if (selectedNumber !== undefined && selectedNumber > all.length)
    throw new UsageError(`--item must be a number from 1 to ${all.length}.`);
  const [renderOption] = Object.values(parameters).map(({ option }) => option);
  const selected = all.filter(({ number }) => selectedNumber === undefined || number === selectedNumber);
  return contentsFor(selected, { quality, audioFormat }).map(({ content, number }) => {
    const selection = { quality, audioFormat, language: lang, renderOption };
    return { choice: chooseFile(content, selection), number };
  });
}
