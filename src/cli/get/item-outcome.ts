import { addressOfTarget } from '#client/link-text.ts';
import { exitCodeOf, exitCodes } from '../errors/exit-codes.ts';
import { errorFacts, errorLines } from '../errors/print-error.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { Entry, RejectedEntry } from './entries.ts';
import type { PreviewedFile } from './preview-files.ts';
import type { FetchedFile } from './stream-file.ts';
import type { SubtitleFile } from './subtitle-files.ts';

/** How an item of a command with several items ended. */
export type ItemOutcome =
  | {
      readonly state: 'done';
      readonly files: readonly (FetchedFile | PreviewedFile)[];
      readonly subtitles?: readonly SubtitleFile[];
      readonly notes: readonly string[];
    }
  | {
      readonly state: 'skipped';
      readonly code: 'archived' | 'exists' | 'repeated' | 'not_downloadable';
      readonly reason: string;
    }
  | { readonly state: 'failed'; readonly cause: unknown };

/** An item with its outcome. */
export interface EndedItem {
  readonly entry: Entry | RejectedEntry;
  readonly outcome: ItemOutcome;
}

/** Returns an outcome as an object for programs. */
export function outcomeFacts({ entry, outcome }: EndedItem): object {
  const facts = { name: entry.name, link: addressOf(entry), state: outcome.state };
  if (outcome.state !== 'failed') return { ...facts, ...outcome };
  return { ...facts, ...errorFacts(outcome.cause) };
}

/** Returns the result of a command with several items, for programs: `files`, `failed` and `skipped`. */
export function resultFacts(items: readonly EndedItem[]): object {
  const inOrder = items.toSorted((a, b) => a.entry.number - b.entry.number);
  const of = ({ entry }: EndedItem) => ({ item: entry.number, name: entry.name, link: addressOf(entry) });
  const subtitles = inOrder.flatMap(({ entry, outcome }) =>
    outcome.state === 'done' ? (outcome.subtitles ?? []).map((file) => ({ item: entry.number, ...file })) : [],
  );
  return {
    files: inOrder.flatMap((item) =>
      item.outcome.state === 'done' ? item.outcome.files.map((file) => ({ ...of(item), ...file })) : [],
    ),
    failed: inOrder.flatMap((item) =>
      item.outcome.state === 'failed' ? [{ ...of(item), ...errorFacts(item.outcome.cause) }] : [],
    ),
    skipped: inOrder.flatMap((item) => {
      if (item.outcome.state !== 'skipped') return [];
      const { code, reason } = item.outcome;
      return [{ ...of(item), code, reason }];
    }),
    notes: inOrder.flatMap(({ entry, outcome }) =>
      outcome.state === 'done' ? outcome.notes.map((text) => ({ item: entry.number, text })) : [],
    ),
    ...(subtitles.length === 0 ? {} : { subtitles }),
  };
}

/** Returns the lines that say which items failed, and why. */
export function failureLines(items: readonly EndedItem[]): string[] {
  return items
    .toSorted((a, b) => a.entry.number - b.entry.number)
    .flatMap(({ entry, outcome }) => {
      if (outcome.state !== 'failed') return [];
      const [message = '', ...hints] = errorLines(outcome.cause);
      return [`[${entry.number}] ${sanitiseLine(entry.name)}: ${message}`, ...hints.map((hint) => `  ${hint}`)];
    });
}

/** Returns the exit code of a command: that of its failures, or 1 if they have different ones. */
export function exitCodeOfItems(items: readonly EndedItem[]): number {
  const codes = new Set(
    items.flatMap(({ outcome }) => (outcome.state === 'failed' ? [exitCodeOf(outcome.cause)] : [])),
  );
  const [code = exitCodes.success.code] = codes;
  return codes.size > 1 ? exitCodes.failure.code : code;
}

/** Returns the address of an entry for programs; undefined if it has none. */
function addressOf({ link, name }: Entry | RejectedEntry): string | undefined {
  return link === undefined ? name : (addressOfTarget(link) ?? Object.values(link.parameters).join(' '));
}
