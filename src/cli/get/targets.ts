import { isCollection } from '#client/collections/entry-lists.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { chooseLink } from '../command-line/choose-link.ts';
import { parseLink } from '../command-line/link-argument.ts';
import { UsageError } from '../errors/command-errors.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import { type FileShape, parametersFor } from './file-options.ts';
import { type GetInvocation, type GetValues, isForProgram } from './get-options.ts';
import { readLinkList } from './link-list.ts';
import { checkSubtitleOption } from './subtitle-files.ts';

/** A link to fetch, or the reason why a text of the command is not a link. */
export type Target =
  | {
      readonly text: string;
      readonly link: RecognisedLink;
      /** Maximum number of entries of a search, if the text states it. */
      readonly limit?: number;
    }
  | { readonly text: string; readonly error: unknown };

/**
 * Recognises the links of an invocation: its arguments, then those of `--batch-file`. If there is only one, an error is
 * thrown; otherwise it takes the place of its link.
 *
 * @throws UsageError
 */
export async function readTargets(invocation: GetInvocation, shape: FileShape): Promise<readonly Target[]> {
  const { values, terminal, signal, positionals } = invocation;
  const file = values['batch-file'];
  const listed = file === undefined ? [] : await readLinkList(file, terminal.input, signal);
  if (file === undefined && positionals.length === 0) {
    throw new UsageError('An argument is missing. Run "millrace get <link|id>…".');
  }
  const isOnly = file === undefined && positionals.length === 1;
  const targets: Target[] = [];
  for (const [index, text] of [...positionals, ...listed].entries()) {
    try {
      targets.push(await readTarget(text, invocation, shape, index < positionals.length));
    } catch (error) {
      if (isOnly || signal.aborted) throw error;
      targets.push({ text, error });
    }
  }
  return targets;
}

/** Whether the result of a command lists items: of several links, of a collection, or of an option that selects them. */
export function hasSeveralItems(targets: readonly Target[], values: GetValues): boolean {
  const [first] = targets;
  if (targets.length !== 1 || values['batch-file'] !== undefined || first === undefined || 'error' in first)
    return true;
  const selects = values.archive !== undefined || values['dry-run'] === true || values['split-chapters'] === true;
  return selects || isCollection(first.link);
}

async function readTarget(
  text: string,
  { values, terminal, signal }: GetInvocation,
  shape: FileShape,
  isArgument: boolean,
): Promise<Target> {
  const search = parseSearch(text);
  if (search !== undefined) return { text, ...search };
  const link = isArgument ? await chooseLink(text, terminal, signal, isForProgram(values)) : parseLink(text);
  if (isCollection(link)) return { text, link };
  checkLinkOptions(link, values, shape);
  const list = /[?&]list=([\w-]{2,200})/.exec(text)?.[1];
  if (list !== undefined && !isForProgram(values)) {
    terminal.say(
      sanitiseLine(
        `Getting only the video. For its list: millrace get 'https://www.youtube.com/playlist?list=${list}'`,
      ),
      'dim',
    );
  }
  return { text, link };
}

/** Checks that the endpoint of a link accepts the options. @throws UsageError */
export function checkLinkOptions(link: RecognisedLink, values: GetValues, shape: FileShape): void {
  parametersFor(link, shape);
  if (values['write-subtitles'] !== undefined) checkSubtitleOption(link, values.output);
}

/**
 * Parses a search, such as `search:words` or `search10:words`; undefined for any other text. As with yt-dlp, whose
 * `ytsearch10:words` is the same, the default is one result.
 */
export function parseSearch(text: string): { readonly link: RecognisedLink; readonly limit: number } | undefined {
  const [, count = '1', query = ''] = /^(?:yt)?search(\d{1,4}|all)?:(.*)$/su.exec(text) ?? [];
  const words = query.trim();
  if (words === '') return undefined;
  const limit = count === 'all' ? Number.POSITIVE_INFINITY : Number(count);
  return { link: { platform: 'p1', endpoint: 'search/video', parameters: { query: words } }, limit };
}
