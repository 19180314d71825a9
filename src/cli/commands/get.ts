import type { ExtractionResponse } from '#client/extraction.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { receiptOf } from '../../contract/addresses.ts';
import { sizeText } from '../../contract/size-text.ts';
import { chooseLink } from '../command-line/choose-link.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import { type Choice, chooseFile } from '../get/choose-file.ts';
import { resolveDestination, standardOutput } from '../get/destination.ts';
import { checkPath, fetchFile } from '../get/fetch-file.ts';
import { promptQuality } from '../get/prompt-quality.ts';
import { formatsFor, namedQualities } from '../get/quality.ts';
import { checkReceiptOption, receiptOption } from '../get/save-receipt.ts';
import type { FetchedFile } from '../get/stream-file.ts';
import { createReporter, reportOptions } from '../reporting/reporter.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession, type Session } from '../service/session.ts';

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
  country: { type: 'string', value: '<code>', description: 'Country to send requests from, such as fr.' },
  lang: { type: 'string', value: '<code>', description: 'Audio language, if there are several; such as de.' },
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
  millrace get 'https://www.instagram.com/p/…' --output pictures/
  millrace get '…' --quality audio --output - | ffplay -`,
  async run(invocation) {
    const { values, terminal, signal, positionals } = invocation;
    const link = await chooseLink(positionals[0] ?? '', terminal, signal, isForProgram(values));
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
        () => session.client.extractLink(link, parameters, { signal }),
        reporter.close,
      );
      const result = await session.client.extractLink(
        link,
        { ...parameters, ...extraParameters(link, quality) },
        { signal },
      );
      const files = await fetchFiles(invocation, { link, quality, result, session, reporter });
      const facts = { title: result.metadata.title ?? null, platform: link.platform, files };
      const paths = files.map(({ path }) => path).filter((path) => path !== standardOutput);
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
  fetchResult: () => Promise<ExtractionResponse>,
  clear: () => void,
): Promise<string> {
  const { values, terminal, signal } = invocation;
  if (values.quality !== undefined) return values.quality;
  if (isForProgram(values) || !terminal.interactive) return 'best';
  const result = await fetchResult();
  clear();
  return await promptQuality(result, terminal, signal);
}

/** Returns the request parameters that are not part of the link. */
function extraParameters(link: RecognisedLink, quality: string): Readonly<Record<string, readonly string[] | string>> {
  const formats = formatsFor(link, quality);
  // The audio of p1 is on the site's own servers, which serve only the client that loaded the page. With the relay,
  // that client is Millrace.
  const relayParameter = link.platform === 'p1' && quality === 'audio' ? { urlAccess: 'proxied' } : {};
  return { ...(formats.length === 0 ? {} : { renderableFormats: formats }), ...relayParameter };
}

interface GetContext {
  readonly link: RecognisedLink;
  readonly quality: string;
  readonly result: ExtractionResponse;
  readonly session: Session;
  readonly reporter: ReturnType<typeof createReporter>;
}

async function fetchFiles(
  invocation: GetInvocation,
  { link, quality, result, ...context }: GetContext,
): Promise<FetchedFile[]> {
  const { values, terminal, signal } = invocation;
  const { country, lang } = values;
  const destination = await resolveDestination(values.output);
  const choices = choicesOf(result, quality, values);
  const title = result.metadata.title ?? Object.values(link.parameters).join(' ');
  const requests = choices.map(({ choice, number }) => ({
    choice,
    query: JSON.stringify([link.platform, link.endpoint, { ...link.parameters, country, lang }, quality, number]),
    path: destination.pathOf({ title, ext: choice.ext, number, count: choices.length }),
    force: values.force === true,
    receipt: values.receipt === true,
  }));
  for (const { path, force, receipt } of requests) {
    await checkPath(path, force);
    if (receipt) await checkPath(receiptOf(path), force);
  }
  const files: FetchedFile[] = [];
  for (const request of requests) files.push(await fetchFile(request, { ...context, signal }, terminal));
  return files;
}

/** Chooses a file for each content item of a result, or only for the selected item. */
function choicesOf(
  { contents = [] }: ExtractionResponse,
  quality: string,
  { item, lang }: GetInvocation['values'],
): readonly { readonly choice: Choice; readonly number: number }[] {
  if (contents.length === 0)
    throw new CommandError('This link has no files to download. Run "millrace info" to see what it leads to.');
  const all = contents.map((content, index) => ({ content, number: index + 1 }));
  const selectedNumber = item === undefined ? undefined : parseWholeNumber('item', item, 1);
  if (selectedNumber !== undefined && selectedNumber > all.length)
    throw new UsageError(`--item must be a number from 1 to ${all.length}.`);
  return all
    .filter(({ number }) => selectedNumber === undefined || number === selectedNumber)
    .map(({ content, number }) => ({ choice: chooseFile(content, quality, lang), number }));
}
