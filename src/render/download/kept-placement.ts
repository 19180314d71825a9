import { stat } from 'node:fs/promises';
import { ifMissing } from '../../if-missing.ts';
import type { FragmentedHead } from '../engine/engine.ts';
import type { Placement } from '../engine/mp4/place-fragments.ts';
import { digestOf, type Journal, type JournalRecord } from './journal.ts';
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

/** Reads what a journal tells of the result at a path. */
export async function readKeptPlacement({ records }: Journal, path: string): Promise<KeptPlacement | undefined> {
  const [first, ...others] = records;
  const [kind, digest, ...described] = first ?? [];
  if (kind !== 'placement' || typeof digest !== 'string') return undefined;
  if ((await stat(path).catch(ifMissing)) === undefined) return undefined;
  const inputs = described.flatMap(readInput);
  if (inputs.length !== described.length) return undefined;
  const spans = inputs.map(({ opening }): Span[] => [{ from: 0, end: opening.head.length }]);
  for (const record of others) readPlaced(record, spans);
  return { inputs: inputs.map((input, index) => ({ ...input, spans: merged(spans[index] ?? []) })), digest };
}

function readInput(described: unknown): OpenedInput[] {
  if (!Array.isArray(described)) return [];
  const [head, version, total] = described as unknown[];
  if (typeof head !== 'string' || typeof version !== 'string' || typeof total !== 'number') return [];
  return [{ opening: { head: Buffer.from(head, 'base64'), size: total }, head: { version, total } }];
}

function readPlaced([kind, input, from, end]: JournalRecord, spans: readonly Span[][]): void {
  if (kind !== 'placed' || typeof input !== 'number' || typeof from !== 'number' || typeof end !== 'number') return;
  spans[input]?.push({ from, end });
}
