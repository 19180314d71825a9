import { type Invocation, inGroup, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { configOptions } from '../config-file/config-file.ts';
import { UsageError } from '../errors/command-errors.ts';
import { checkForceArgument } from '../quality/parse-quality.ts';
import { reportOptions } from '../reporting/reporter.ts';
import { serviceOptions } from '../service/options.ts';
import { sidecarOptions } from '../sidecars/sidecars.ts';
import { standardOutput } from './destination.ts';
import { type DownloadLimits, limitOptions, readDownloadLimits } from './download-limits.ts';
import { checkPath } from './fetch-file.ts';
import { type FileShape, fileOptions, readFileShape } from './file-options.ts';
import { type ItemSelection, parseItems } from './items.ts';
import { namedQualities } from './quality.ts';
import { receiptOption } from './save-receipt.ts';
import { subtitleFileOption } from './subtitle-files.ts';

/** Number of items that are fetched at once. */
const defaultConcurrency = 2;
const maxConcurrency = 16;

/** The options of `millrace get`. */
export const getOptions = {
  quality: {
    type: 'string',
    value: '<quality>',
    suggestions: [
      ...namedQualities,
      '360p',
      '480p',
      '720p',
      '1080p',
      '1440p',
      '2160p',
      'h264',
      'h265',
      'vp9',
      'av1',
      '60fps',
      'hdr',
    ],
    description:
      'best (default), worst, audio, image, a label from --list, or conditions such as <=720p,h264,60fps. Without this ' +
      'option, get prompts for it on a terminal.',
  },
  list: { type: 'boolean', short: 'F', description: 'Print the qualities as a table, and download nothing.' },
  output: {
    type: 'string',
    short: 'o',
    value: '<path>',
    description:
      'File or folder to write to, or a template such as {author}/{title}.{ext}; - for standard output. Several files ' +
      'need a folder (films/) or a template.',
  },
  ...inGroup('What to get', {
    items: {
      type: 'string',
      short: 'I',
      value: '<list>',
      description: 'Only these items of a list or post, such as 1-10,15,-3: (the last three).',
    },
    item: { type: 'string', value: '<number>', description: 'Only this item; starts at 1.' },
    'batch-file': {
      type: 'string',
      short: 'a',
      value: '<path>',
      description: 'Also download the links in this file, one on each line; - for standard input.',
    },
    archive: {
      type: 'string',
      value: '<path>',
      description: 'Skip what this file lists, and add what has been downloaded.',
    },
    'split-chapters': { type: 'boolean', description: 'Make one file of each chapter.' },
    country: { type: 'string', value: '<code>', description: 'Country to send requests from, such as fr.' },
    lang: {
      type: 'string',
      value: '<code>',
      description: 'Language of titles, and of the audio if there are several; such as de.',
    },
  }),
  ...inGroup('What the file contains', fileOptions),
  ...inGroup('Files', {
    force: { type: 'boolean', short: 'f', description: 'Overwrite existing files.' },
    'no-part': { type: 'boolean', description: 'Keep no incomplete files, so that nothing can be resumed.' },
    ...subtitleFileOption,
    ...sidecarOptions,
    ...receiptOption,
  }),
  ...inGroup('Downloads', {
    'dry-run': {
      type: 'boolean',
      description: 'Print the names, qualities and sizes of the files, and download nothing.',
    },
    concurrent: {
      type: 'string',
      short: 'N',
      value: '<number>',
      description: `Number of items to download at once; default ${defaultConcurrency}, up to ${maxConcurrency}.`,
    },
    'fail-fast': { type: 'boolean', description: 'Stop at the first item that fails.' },
    ...limitOptions,
  }),
  ...inGroup('Output', reportOptions),
  ...inGroup('Config file and service', { ...configOptions, ...serviceOptions }),
} as const satisfies Options;

/** An invocation of `millrace get`. */
export type GetInvocation = Invocation<typeof getOptions>;

/** The values of the options of `millrace get`. */
export type GetValues = GetInvocation['values'];

/** The validated options of `millrace get`. */
export interface GetOptions {
  /** The shape of the files. */
  readonly shape: FileShape;
  /** The selected items of a list or post; undefined for all. */
  readonly items: ItemSelection | undefined;
  /** Number of items to fetch at once. */
  readonly concurrency: number;
  readonly limits: DownloadLimits;
}

/**
 * Validates the options before any request.
 *
 * @throws UsageError; CommandError if the file exists.
 */
export async function checkGetOptions(invocation: GetInvocation): Promise<GetOptions> {
  const { values, positionals } = invocation;
  if (values.force === true) positionals.forEach(checkForceArgument);
  const shape = readFileShape(values, values['write-subtitles'] !== undefined);
  if (values['split-chapters'] === true && values.clip !== undefined) {
    throw new UsageError('--split-chapters cannot be combined with --clip. Leave one of them out.');
  }
  await checkOutput(invocation);
  return {
    shape,
    items: readItems(values),
    concurrency: readConcurrency(values.concurrent),
    limits: readDownloadLimits(values),
  };
}

async function checkOutput({ values, terminal }: GetInvocation): Promise<void> {
  const { output, json, events } = values;
  if (output === undefined) return;
  if (output !== standardOutput) {
    await checkPath(output, values.force === true || values.archive !== undefined || values['dry-run'] === true);
    return;
  }
  if (json === true || events === true) {
    throw new UsageError('--output - cannot be combined with --json or --events: both write to standard output.');
  }
  const sidecar = Object.keys(sidecarOptions).find((name) => values[name as keyof typeof sidecarOptions] === true);
  if (sidecar !== undefined) throw new UsageError(`--${sidecar} needs a file. Set another --output.`);
  if (terminal.outputIsTerminal) {
    throw new UsageError('The file cannot be written to a terminal. Use --output - with a pipe.');
  }
}

function readItems({ items, item }: GetValues): ItemSelection | undefined {
  if (items !== undefined && item !== undefined) {
    throw new UsageError('--items cannot be combined with --item. Leave one of them out.');
  }
  if (item !== undefined) return parseItems('item', String(parseWholeNumber('item', item, 1)));
  return items === undefined ? undefined : parseItems('items', items);
}

function readConcurrency(text: string | undefined): number {
  if (text === undefined) return defaultConcurrency;
  const number = parseWholeNumber('concurrent', text, 1);
  if (number <= maxConcurrency) return number;
  throw new UsageError(`--concurrent must be at most ${maxConcurrency}, not ${text}.`);
}

/** Returns whether the output is for a program, which cannot respond to a prompt. */
export function isForProgram({ json, events, quiet }: GetValues): boolean {
  return json === true || events === true || quiet === true;
}
