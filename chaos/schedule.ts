import { pick } from '../lab/platforms/seeded.ts';
import { type FaultName, faultNamed, faults } from './faults.ts';
import { type StageName, stages } from './stages.ts';
import { type StoreKind, storeKinds } from './store-folder.ts';

/** One test of a run: a fault, and the stage of the jobs at which it is injected. */
export interface Point {
  /** Number of the point, starting at 1. Together with the seed it determines the rest. */
  readonly number: number;
  readonly seed: number;
  readonly fault: FaultName;
  readonly stage: StageName;
  /** The store of the service. */
  readonly store: StoreKind;
  /** Whether the fault lasts only as long as in the short form. */
  readonly short: boolean;
}

/** Schedules the points of a seed: each fault and each stage equally often, and all combinations over time. */
export function schedulePoints(seed: number, count: number): Point[] {
  const faultOrder = shuffle(Object.keys(faults) as FaultName[], seed);
  const stageOrder = shuffle(Object.keys(stages) as StageName[], seed);
  const cycle = (faultOrder.length * stageOrder.length) / greatestCommonDivisor(faultOrder.length, stageOrder.length);
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const fault = faultOrder[index % faultOrder.length] as FaultName;
    // Without this step, each fault would be combined with only a few stages if the two counts had a common factor.
    const step = Math.floor(index / cycle);
    const stage = stageOrder[(index + step) % stageOrder.length] as StageName;
    return { number, seed, fault, stage, store: storeOf(fault, seed, number), short: false };
  });
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

/** Short faults that cover the most. The two longest have different stores. */
const shortList: readonly [FaultName, StageName, StoreKind][] = [
  ['kill worker', 'processing', 'disk'],
  ['pause worker', 'uploading_output', 's3'],
  ['cut source', 'downloading_inputs', 'disk'],
  ['restart database', 'completion', 's3'],
];

/** Schedules the points of the short form. */
export function scheduleShort(seed: number): Point[] {
  return shortList.map(([fault, stage, store], index) => ({
    number: index + 1,
    seed,
    fault,
    stage,
    store,
    short: true,
  }));
}

/**
 * Returns the store that the fault needs. If the fault works with any store, returns either one, so that both stores
 * get about the same number of points.
 */
function storeOf(fault: FaultName, seed: number, number: number): StoreKind {
  return faultNamed(fault).store ?? (pick(5, 'store', seed, number) < 3 ? storeKinds[0] : storeKinds[1]);
}

/** Shuffles a list: the same order for the same seed (Fisher and Yates). */
function shuffle<T>(list: readonly T[], seed: number): T[] {
  const order = [...list];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = pick(last + 1, 'order', order.length, seed, last);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}

/** Returns whether the fault of a point makes its jobs expire. */
export function expiresJobs({ fault, stage }: Point): boolean {
  return fault === 'clock ahead' && stage === 'idle';
}

/** Returns the milliseconds that the fault of a point lasts. */
export function durationOf(point: Point): number {
  const [short, least, most] = faultNamed(point.fault).durations;
  const seconds = point.short ? short : least + pick(most - least + 1, 'lasts', point.seed, point.number);
  return seconds * 1000;
}
