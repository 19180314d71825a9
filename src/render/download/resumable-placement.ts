import { sizeOf } from '../../files/open-file.ts';
import { type ByteRange, mergeRanges } from './byte-ranges.ts';
import type { FragmentedFileHead, FragmentPlacement, FragmentPlacer } from './fragment-placer.ts';
import { isByteCount, readHeadRecord } from './head-record.ts';
import { digestOf, type Journal, type JournalRecord } from './journal.ts';
import type { LastingHead } from './source.ts';

/** An input as it was when it was first requested. */
export interface OpenedInput {
  /** Its beginning, which the journal holds itself. */
  readonly opening: FragmentedFileHead;
  readonly head: LastingHead;
}

/** A result of which a former process has put fragments in their places. */
export interface ResumablePlacement {
  readonly inputs: readonly (OpenedInput & {
    /** What need not be fetched again, by positions in the source; in order, and no range touches another. */
    readonly stored: readonly ByteRange[];
  })[];
  /** A digest of the places that the fragments have. */
  readonly digest: string;
}

/** Returns a digest of where every fragment goes. */
export function digestOfPlaces({ ranges }: FragmentPlacement): string {
  return digestOf(ranges);
}

/** Records what the inputs are and the placement that follows; ranges that are recorded later belong to it. */
export function recordPlacement(journal: Journal, inputs: readonly OpenedInput[], placement: FragmentPlacement): void {
  const described = inputs.map(({ opening, head }) => [opening.head.toString('base64'), head.version, head.total]);
  journal.note(['placement', digestOfPlaces(placement), ...described]);
}

/** Records that bytes of an input are in their places. */
export function recordPlaced(journal: Journal, input: number, { from, end }: ByteRange): void {
  journal.note(['placed', input, from, end]);
}

/** Reads a journal's state of the result at a path. A child of the former run may have written both. */
export async function readResumablePlacement(
  { records }: Journal,
  path: string,
  limits: Pick<FragmentPlacer, 'maxInputs' | 'headBytes'>,
): Promise<ResumablePlacement | undefined> {
  const [first, ...others] = records;
  const [kind, digest, ...described] = first ?? [];
  if (kind !== 'placement' || typeof digest !== 'string' || described.length > limits.maxInputs) return undefined;
  if ((await sizeOf(path)) === undefined) return undefined;
  const inputs = described.flatMap((input) => readInput(input, limits.headBytes));
  if (inputs.length !== described.length) return undefined;
  const ranges = inputs.map(({ opening }): ByteRange[] => [{ from: 0, end: opening.head.length }]);
  for (const record of others) readPlaced(record, inputs, ranges);
  return { inputs: inputs.map((input, index) => ({ ...input, stored: mergeRanges(ranges[index] ?? []) })), digest };
}

function readInput(described: unknown, headBytes: number): OpenedInput[] {
  if (!Array.isArray(described)) return [];
  const [text, ...values] = described as unknown[];
  const head = readHeadRecord(values);
  if (typeof text !== 'string' || head === undefined) return [];
  const bytes = Buffer.from(text, 'base64');
  const fits = bytes.length <= Math.min(headBytes, head.total);
  return fits ? [{ opening: { head: bytes, size: head.total }, head }] : [];
}

function readPlaced(
  [kind, input, from, end]: JournalRecord,
  inputs: readonly OpenedInput[],
  ranges: readonly ByteRange[][],
): void {
  if (kind !== 'placed' || !isByteCount(input) || !isByteCount(from) || !isByteCount(end)) return;
  if (from < end && end <= (inputs[input]?.head.total ?? 0)) ranges[input]?.push({ from, end });
}
