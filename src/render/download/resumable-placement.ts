import { sizeOf } from '../../files/open-file.ts';
import type { SummedRange } from './arrival-proof.ts';
import { isArrivalSum, sumOf } from './arrival-sum.ts';
import { inOrder } from './byte-ranges.ts';
import type { FragmentedFileHead, FragmentPlacement, FragmentPlacer } from './fragment-placer.ts';
import { digestOf, type Journal, type JournalRecord } from './journal.ts';
import type { ResourceVersion } from './source-request.ts';
import { combineVersions, isByteCount, readVersionRecord, type StoredVersion } from './version-record.ts';

/** An input as it was at its first request. */
interface VersionedInput {
  /** The start of the input, which the journal itself contains. */
  readonly fileHead: FragmentedFileHead;
  readonly version: ResourceVersion;
}

/** A result in which an earlier process has placed fragments. */
export interface ResumablePlacement {
  readonly inputs: readonly {
    readonly fileHead: FragmentedFileHead;
    readonly version: StoredVersion;
    /** Ranges that need not be fetched again, by position in the source; in order, without overlaps. */
    readonly storedRanges: readonly SummedRange[];
  }[];
  /** A digest of the fragments' positions. */
  readonly digest: string;
}

/** Returns a digest of the position of every fragment. */
export function digestOfPlacement({ ranges }: FragmentPlacement): string {
  return digestOf(ranges);
}

/** Records the inputs and the placement derived from them; ranges recorded later belong to it. */
export function recordPlacement(
  journal: Journal,
  inputs: readonly VersionedInput[],
  placement: FragmentPlacement,
): void {
  const inputRecords = inputs.map(({ fileHead, version }) => [
    fileHead.head.toString('base64'),
    version.validator,
    version.total,
  ]);
  journal.append(['placement', digestOfPlacement(placement), ...inputRecords]);
}

/** Records the version that an input has at a new link; its size is the same. */
export function recordPlacedVersion(journal: Journal, input: number, { validator, total }: ResourceVersion): void {
  journal.append(['version', input, validator, total]);
}

/** Records that a range of an input is written to the result. */
export function recordPlacedRange(journal: Journal, input: number, { from, end, sum }: SummedRange): void {
  journal.append(['placed', input, from, end, sum]);
}

/**
 * Reads the state of the result at a path from its journal. Both may have been written by a child process of the
 * earlier run.
 */
export async function readResumablePlacement(
  { records }: Journal,
  path: string,
  limits: Pick<FragmentPlacer, 'maxInputs' | 'headBytes'>,
): Promise<ResumablePlacement | undefined> {
  const [first, ...others] = records;
  const [kind, digest, ...inputRecords] = first ?? [];
  if (kind !== 'placement' || typeof digest !== 'string' || inputRecords.length > limits.maxInputs) return undefined;
  if ((await sizeOf(path)) === undefined) return undefined;
  const inputs = inputRecords.flatMap((input) => readInput(input, limits.headBytes));
  if (inputs.length !== inputRecords.length) return undefined;
  const ranges = inputs.map(({ fileHead: { head } }): SummedRange[] => [
    { from: 0, end: head.length, sum: sumOf(head) },
  ]);
  for (const record of others) readPlaced(record, inputs, ranges);
  const resumableInputs = inputs.flatMap(({ fileHead, version: first }, index) => {
    const version = combineVersions([first, ...others.flatMap((record) => readPlacedVersion(record, index))]);
    const storedRanges = inOrder(ranges[index] ?? []);
    return version === undefined || storedRanges === undefined ? [] : [{ fileHead, version, storedRanges }];
  });
  return resumableInputs.length === inputs.length ? { inputs: resumableInputs, digest } : undefined;
}

function readPlacedVersion([kind, input, ...values]: JournalRecord, index: number): ResourceVersion[] {
  const version = kind === 'version' && input === index ? readVersionRecord(values) : undefined;
  return version === undefined ? [] : [version];
}

function readInput(inputRecord: unknown, headBytes: number): VersionedInput[] {
  if (!Array.isArray(inputRecord)) return [];
  const [text, ...values] = inputRecord as unknown[];
  const version = readVersionRecord(values);
  if (typeof text !== 'string' || version === undefined) return [];
  const bytes = Buffer.from(text, 'base64');
  const fits = bytes.length <= Math.min(headBytes, version.total);
  return fits ? [{ fileHead: { head: bytes, size: version.total }, version }] : [];
}

function readPlaced(
  [kind, input, from, end, sum]: JournalRecord,
  inputs: readonly VersionedInput[],
  ranges: readonly SummedRange[][],
): void {
  if (kind !== 'placed' || !isByteCount(input) || !isByteCount(from) || !isByteCount(end)) return;
  const fits = from < end && end <= (inputs[input]?.version.total ?? 0);
  if (fits && isArrivalSum(sum)) ranges[input]?.push({ from, end, sum });
}
