import { isCollection } from '#client/collections/entry-lists.ts';
import { sizeText } from '../../contract/size-text.ts';
import { UsageError } from '../errors/command-errors.ts';
import { exitCodeOf, exitCodes } from '../errors/exit-codes.ts';
import { type BatchCounts, type BatchReporter, countsText } from '../reporting/batch-reporter.ts';
import { formatTable } from '../terminal/table.ts';
import { type Archive, openArchive } from './archive.ts';
import { contentKey } from './content-key.ts';
import { standardOutput } from './destination.ts';
import { type Entry, entriesOf, type RejectedEntry } from './entries.ts';
import { codeOf } from './file-error.ts';
import type { GetContext } from './get-context.ts';
import { getEntry, planEntry } from './get-entry.ts';
import type { GetOptions } from './get-options.ts';
import {
  type EndedItem,
  exitCodeOfItems,
  failureLines,
  type ItemOutcome,
  outcomeFacts,
  resultFacts,
} from './item-outcome.ts';
import { previewFiles } from './preview-files.ts';
import { type InTurn, runInOrder } from './run-in-order.ts';
import type { Target } from './targets.ts';

/**
 * Fetches the files of several links or of the entries of collections. A failure does not stop the others, unless it
 * would repeat with each of them. Returns the exit code.
 *
 * @throws UsageError; CommandError about the archive; the error of the only item; the signal's reason.
 */
export async function getMany(
  targets: readonly Target[],
  { items, concurrency }: GetOptions,
  context: GetContext,
  reporter: BatchReporter,
): Promise<number> {
  const { values, signal, terminal } = context;
  checkDestination(targets, context);
  const archive = values.archive === undefined ? undefined : await openArchive(values.archive);
  const stop = new AbortController();
  const seen = new Set<string>();
  const running = { ...context, signal: AbortSignal.any([signal, stop.signal]) };
  const ended: EndedItem[] = [];
  const total = createTotal(targets.length);
  const showCounts = () => reporter.counts({ ...countsOf(ended), total: total.known() });
  const entries = entriesOf(targets, items, { ...running, reporter }, (count) => {
    total.add(count);
    showCounts();
  });
  const run = runInOrder(entries, concurrency, running.signal, async (entry, inTurn) => {
    const item = reporter.item(entry.number, entry.name);
    try {
      const outcome = await outcomeOf(entry, { ...running, reporter: item }, { archive, seen }, inTurn);
      // What ends after the stop has failed because of it.
      if (outcome.state === 'failed' && running.signal.aborted) return;
      ended.push({ entry, outcome });
      if (outcome.state === 'failed' && (values['fail-fast'] === true || wouldRepeat(outcome.cause))) stop.abort();
      item.close();
      reporter.outcome(entry.number, outcomeFacts({ entry, outcome }));
      await printOutcome(outcome, entry, reporter);
    } finally {
      item.close();
      showCounts();
    }
  });
  await run.catch((error: unknown) => {
    if (!running.signal.aborted) throw error;
  });
  reporter.close();
  if (signal.aborted) {
    reporter.say(
      `Stopped: ${countsText({ ...countsOf(ended), total: total.known() })}. Run the same command again to get the rest.`,
    );
    throw signal.reason;
  }
  const [only, another] = ended;
  if (targets.length === 1 && another === undefined && only?.outcome.state === 'failed') throw only.outcome.cause;
  if (ended.length === 0) reporter.say(items === undefined ? 'The list is empty.' : '--items selects nothing.');
  if (ended.length > 1) reporter.say(`${summaryOf(ended, values)}.`);
  if (stop.signal.aborted) reporter.say('Stopped at a failure. Run the same command again to get the rest.');
  for (const line of failureLines(ended)) terminal.say(line);
  await reporter.result(resultFacts(ended));
  return exitCodeOfItems(ended);
}

function checkDestination(targets: readonly Target[], { values, destination }: GetContext): void {
  const isOne = targets.every((target) => 'error' in target || !isCollection(target.link)) && targets.length === 1;
  if (destination.acceptsMany || (isOne && values['split-chapters'] !== true)) return;
  throw new UsageError('Several files need a folder. End --output with a slash, such as films/.');
}

/** Fetches an entry, unless it is archived or an earlier entry has the same content. Returns how it ended. */
async function outcomeOf(
  entry: Entry | RejectedEntry,
  context: GetContext,
  { archive, seen }: { readonly archive: Archive | undefined; readonly seen: Set<string> },
  inTurn: InTurn,
): Promise<ItemOutcome> {
  if ('skipped' in entry) return { state: 'skipped', code: 'not_downloadable', reason: entry.skipped ?? '' };
  if (!isFetchable(entry)) return { state: 'failed', cause: entry.error };
  const { link, chapter } = entry;
  const key = contentKey(link, chapter?.number);
  if (seen.has(key)) return { state: 'skipped', code: 'repeated', reason: 'The command has it twice.' };
  seen.add(key);
  try {
    if (archive?.includes(link, chapter?.number) === true) {
      return { state: 'skipped', code: 'archived', reason: 'The archive lists it.' };
    }
    // `--items` selects the items of a post only if it has selected neither the post nor a chapter.
    const entryContext =
      entry.index === undefined && chapter === undefined ? context : { ...context, items: undefined };
    const outcome = await (context.values['dry-run'] === true ? preview : fetch)(entry, entryContext, inTurn);
    if (context.values['dry-run'] !== true) await archive?.add(link, chapter?.number);
    return outcome;
  } catch (cause) {
    return { state: 'failed', cause };
  }
}

function isFetchable(entry: Entry | RejectedEntry): entry is Entry {
  return !('error' in entry) && entry.link !== undefined;
}

async function fetch(entry: Entry, context: GetContext, inTurn: InTurn): Promise<ItemOutcome> {
  const { extracted, plan, files, subtitleFiles } = await getEntry(entry, context, inTurn);
  if (plan.requests.length === 0) return existing(plan.present);
  const { notes, subtitles } = extracted;
  return { state: 'done', files, notes, ...(subtitles === undefined ? {} : { subtitles: subtitleFiles }) };
}

async function preview(entry: Entry, context: GetContext, inTurn: InTurn): Promise<ItemOutcome> {
  const { extracted, plan } = await planEntry(entry, context, inTurn);
  if (plan.requests.length === 0) return existing(plan.present);
  return { state: 'done', files: await previewFiles(plan.requests, context), notes: extracted.notes };
}

function existing(paths: readonly string[]): ItemOutcome {
  return { state: 'skipped', code: 'exists', reason: `Already there: ${paths.join(', ')}` };
}

/** Whether every other item would fail with the same error: the key is rejected, or the disk is full. */
function wouldRepeat(error: unknown): boolean {
  const fileCode = error instanceof Error ? codeOf(error.cause) : undefined;
  return exitCodeOf(error) === exitCodes.denied.code || ['ENOSPC', 'EDQUOT', 'EROFS'].includes(fileCode ?? '');
}

async function printOutcome(
  outcome: ItemOutcome,
  { number, name }: Entry | RejectedEntry,
  reporter: BatchReporter,
): Promise<void> {
  if (outcome.state === 'failed') reporter.say(`[${number}] ${name}: failed.`);
  if (outcome.state === 'skipped') reporter.say(`[${number}] ${name}: skipped. ${outcome.reason}`);
  if (outcome.state !== 'done') return;
  for (const file of outcome.files) {
    const size = file.bytes === null ? 'unknown size' : sizeText(file.bytes);
    if ('resumedFrom' in file) {
      reporter.say(`[${number}] Saved ${size}${file.path === standardOutput ? '' : ' as'}`);
      const paths = [file.path, ...(file.sidecars ?? [])].filter((path) => path !== standardOutput);
      await reporter.print(paths.map((path) => `${path}\n`).join(''));
    } else {
      await reporter.print(formatTable([[file.path, file.label, size]]));
    }
  }
  for (const file of outcome.subtitles ?? []) if ('path' in file) await reporter.print(`${file.path}\n`);
}

/** Returns how the items ended; for `--dry-run`, what the command would save. */
function summaryOf(ended: readonly EndedItem[], { 'dry-run': isPreview }: GetContext['values']): string {
  const counts = countsOf(ended);
  if (isPreview !== true) return countsText({ ...counts, total: ended.length });
  const files = ended.flatMap(({ outcome }) => (outcome.state === 'done' ? outcome.files : []));
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const facts = [
    `${files.length} ${files.length === 1 ? 'file' : 'files'} to download, about ${sizeText(bytes)}`,
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
  ];
  return facts.join(', ');
}

function countsOf(ended: readonly EndedItem[]): Omit<BatchCounts, 'total'> {
  const countOf = (state: ItemOutcome['state']) => ended.filter(({ outcome }) => outcome.state === state).length;
  return { done: countOf('done'), skipped: countOf('skipped'), failed: countOf('failed') };
}

/** Adds up the numbers of entries of all targets. */
function createTotal(targets: number) {
  const counts: (number | undefined)[] = [];
  return {
    add(count: number | undefined) {
      counts.push(count);
    },
    /** Returns the sum; undefined while the number of a target is unknown. */
    known(): number | undefined {
      if (counts.length < targets) return undefined;
      return counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
    },
  };
}
