import { pick } from '../lab/platforms/seeded.ts';
import { type FaultName, faultNamed, faults, type Store, stores } from './faults.ts';
import { type StageName, stages } from './stages.ts';

/** One blow: where the jobs are, and what happens then. */
export interface Point {
  /** Counts from 1; with the seed it says everything of the point. */
  readonly number: number;
  readonly seed: number;
  readonly fault: FaultName;
  readonly stage: StageName;
  /** What the service keeps its files in. */
  readonly store: Store;
  /** Whether a fault lasts as short as it may to be one. */
  readonly short: boolean;
}

/** The points of a seed: each fault and each stage as often as the others, in all combinations as time goes by. */
export function planPoints(seed: number, count: number): Point[] {
  const faultOrder = shuffled(Object.keys(faults) as FaultName[], seed);
  const stageOrder = shuffled(Object.keys(stages) as StageName[], seed);
  const cycle = (faultOrder.length * stageOrder.length) / greatestCommonDivisor(faultOrder.length, stageOrder.length);
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const fault = faultOrder[index % faultOrder.length] as FaultName;
    // Without the step each fault would meet the same few stages where the numbers of both have a common factor.
    const step = Math.floor(index / cycle);
    const stage = stageOrder[(index + step) % stageOrder.length] as StageName;
    return { number, seed, fault, stage, store: storeOf(fault, seed, number), short: false };
  });
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

/** Faults that say most and are over soon; the two that take longest on stores of their own. */
const shortList: readonly [FaultName, StageName, Store][] = [
  ['kill worker', 'processing', 'disk'],
  ['pause worker', 'uploading_output', 's3'],
  ['cut source', 'downloading_inputs', 'disk'],
  ['restart database', 'completion', 's3'],
];

/** The points of the short form. */
export function planShort(seed: number): Point[] {
  return shortList.map(([fault, stage, store], index) => ({
    number: index + 1,
    seed,
    fault,
    stage,
    store,
    short: true,
  }));
}

/** The fault's own store; else either, so that both get about as many points in all. */
function storeOf(fault: FaultName, seed: number, number: number): Store {
  return faultNamed(fault).store ?? (pick(5, 'store', seed, number) < 3 ? stores[0] : stores[1]);
}

/** The same order for the same seed (Fisher and Yates). */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  const order = [...list];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = pick(last + 1, 'order', order.length, seed, last);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
