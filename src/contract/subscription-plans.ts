const MB = 1_000_000;
const GB = 1_000 * MB;
const HOUR = 3_600_000;

/** The available plans. */
export const planNames = ['BASIC', 'PRO', 'ULTRA', 'MEGA'] as const;

/** The name of a plan. */
export type PlanName = (typeof planNames)[number];

/** The limits of a plan. Sizes are decimal bytes, times are milliseconds. */
export interface Plan extends PlanLimits {
  readonly name: PlanName;
  /** Maximum number of formats in `renderableFormats` for which one request gets render configs. */
  readonly renderableCount: number;
  /** Maximum size of a rendered file. */
  readonly renderSize: number;
  /** How long a rendered file is kept. */
  readonly availability: number;
}

/** The limits of a plan that the operator can change. */
export interface PlanLimits {
  /** Credits per calendar month (UTC). */
  readonly credits: number;
  /** Extraction API requests per second. */
  readonly requestsPerSecond: number;
  /** Start and store requests of the direct job API per second. */
  readonly startsPerSecond: number;
  /** Maximum number of unfinished jobs of the direct job API. */
  readonly jobsAtOnce: number;
  /** Maximum size of all finished files that are stored at the same time. */
  readonly storedSize: number;
}

/** The plans by name. */
export type Plans = Readonly<Record<PlanName, Plan>>;

/**
 * The plans of the contract. Values that the contract does not define are our choice and can be changed by the
 * operator.
 */
export const plans: Plans = {
  BASIC: {
    name: 'BASIC',
    renderableCount: 1,
    renderSize: 500 * MB,
    availability: HOUR,
    credits: 500,
    requestsPerSecond: 1,
    startsPerSecond: 1,
    jobsAtOnce: 5,
    storedSize: 10 * GB,
  },
  PRO: {
    name: 'PRO',
    renderableCount: 3,
    renderSize: 1.5 * GB,
    availability: HOUR,
    credits: 10_000,
    requestsPerSecond: 5,
    startsPerSecond: 5,
    jobsAtOnce: 20,
    storedSize: 50 * GB,
  },
  ULTRA: {
    name: 'ULTRA',
    renderableCount: 6,
    renderSize: 2.5 * GB,
    availability: 2 * HOUR,
    credits: 50_000,
    requestsPerSecond: 10,
    startsPerSecond: 10,
    jobsAtOnce: 50,
    storedSize: 200 * GB,
  },
  MEGA: {
    name: 'MEGA',
    renderableCount: 6,
    renderSize: 3.5 * GB,
    availability: 2 * HOUR,
    credits: 200_000,
    requestsPerSecond: 20,
    startsPerSecond: 20,
    jobsAtOnce: 200,
    storedSize: 500 * GB,
  },
};
