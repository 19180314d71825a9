import { sizeOf } from '../../files/open-file.ts';
import type { Placement } from '../engine/mp4/place-fragments.ts';
import { type FragmentedHead, headBounds } from '../engine/tasks/task.ts';
import { digestOf, type Journal, type JournalRecord } from './journal.ts';
import { isByteCount, readHeadRecord } from './kept-head.ts';
import type { LastingHead } from './source.ts';
import { merged, type Span } from './spans.ts';

/** An input as it was when it was first asked for; its opening is kept itself. */
export interface OpenedInput {
  readonly opening: FragmentedHead;
  readonly head: LastingHead;
}

/** A result of which another process has put fragments in their places. */
export interface KeptPlacement {
  readonly inputs: readonly (OpenedInput & {
    /** What need not be fetched again, by positions in the source; in order, and none touches another. */
    readonly spans: readonly Span[];
  })[];
  /** Of the places that the fragments have. */
  readonly digest: string;
}

/** A digest of where every fragment goes. */
export function digestOfPlaces({ ranges }: Placement): string {
  return digestOf(ranges);
}

/** Writes down what the inputs are and the placement that follows; the spans that are noted are of it. */
export function notePlacement(journal: Journal, inputs: readonly OpenedInput[], placement: Placement): void {
  const described = inputs.map(({ opening, head }) => [opening.head.toString('base64'), head.version, head.total]);
  journal.note(['placement', digestOfPlaces(placement), ...described]);
}

/** Writes down that bytes of an input are in their places. */
export function notePlaced(journal: Journal, input: number, { from, end }: Span): void {
  journal.note(['placed', input, from, end]);
}

/** Reads a journal's state of the result at a path. A child of the former run may have written both. */
export async function readKeptPlacement({ records }: Journal, path: string): Promise<KeptPlacement | undefined> {
  const [first, ...others] = records;
  const [kind, digest, ...described] = first ?? [];
  if (kind !== 'placement' || typeof digest !== 'string' || described.length > headBounds.count) return undefined;
  if ((await sizeOf(path)) === undefined) return undefined;
  const inputs = described.flatMap(readInput);
  if (inputs.length !== described.length) return undefined;
  const spans = inputs.map(({ opening }): Span[] => [{ from: 0, end: opening.head.length }]);
  for (const record of others) readPlaced(record, inputs, spans);
  return { inputs: inputs.map((input, index) => ({ ...input, spans: merged(spans[index] ?? []) })), digest };
}

function readInput(described: unknown): OpenedInput[] {
  if (!Array.isArray(described)) return [];
  const [text, ...values] = described as unknown[];
  const head = readHeadRecord(values);
  if (typeof text !== 'string' || head === undefined) return [];
  const bytes = Buffer.from(text, 'base64');
  const fits = bytes.length <= Math.min(headBounds.bytes, head.total);
  return fits ? [{ opening: { head: bytes, size: head.total }, head }] : [];
}

function readPlaced(
  [kind, input, from, end]: JournalRecord,
  inputs: readonly OpenedInput[],
  spans: readonly Span[][],
): void {
  if (kind !== 'placed' || !isByteCount(input) || !isByteCount(from) || !isByteCount(end)) return;
  if (from < end && end <= (inputs[input]?.head.total ?? 0)) spans[input]?.push({ from, end });
}
