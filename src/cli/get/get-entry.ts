import type { Entry } from './entries.ts';
import { type Extracted, extractEntry } from './extract-entry.ts';
import type { GetContext } from './get-context.ts';
import { type FilePlan, planFiles } from './plan-files.ts';
import type { InTurn } from './run-in-order.ts';
import { type SavedFiles, saveFiles } from './save-files.ts';

/** The files of an entry. */
export interface FetchedEntry extends SavedFiles {
  readonly extracted: Extracted;
  readonly plan: FilePlan;
}

/**
 * Fetches the files of an entry: extracts it, chooses its files and saves them.
 *
 * @param inTurn Runs the choice of names in the order of the entries, so that it does not depend on their speed.
 * @throws UsageError, CommandError; errors of the client.
 */
export async function getEntry(entry: Entry, context: GetContext, inTurn: InTurn): Promise<FetchedEntry> {
  const { extracted, plan } = await planEntry(entry, context, inTurn);
  return { extracted, plan, ...(await saveFiles(plan.requests, extracted, context)) };
}

/** Extracts an entry and chooses its files, without fetching them. Throws the same errors as {@link getEntry}. */
export async function planEntry(
  entry: Entry,
  context: GetContext,
  inTurn: InTurn,
): Promise<Pick<FetchedEntry, 'extracted' | 'plan'>> {
  const entryContext = { ...context, shape: shapeOf(entry, context) };
  const extracted = await extractEntry(entry.link, entryContext);
  const plan = await inTurn(() => planFiles(extracted, entry, entryContext));
  return { extracted, plan };
}

/** Returns the shape of the files of an entry: a chapter is a clip. */
function shapeOf({ chapter }: Entry, { shape }: GetContext): GetContext['shape'] {
  if (chapter === undefined) return shape;
  const clip = { value: chapter.clip, option: 'split-chapters' };
  return { ...shape, parameters: { ...shape.parameters, clip } };
}
