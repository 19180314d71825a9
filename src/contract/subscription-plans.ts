const MB = 1_000_000;
const GB = 1_000 * MB;
const HOUR = 3_600_000;

/** The plans a key can have. */
export const planNames = ['BASIC', 'PRO', 'ULTRA', 'MEGA'] as const;

/** The name of a plan. */
export type PlanName = (typeof planNames)[number];

/** What a plan allows. Sizes are bytes (decimal units), times are milliseconds. */
export interface Plan extends PlanLimits {
  readonly name: PlanName;
  /** How many formats of `renderableFormats` one request gets render configs for. */
  readonly renderableCount: number;
  /** Largest rendered file. */
  readonly renderSize: number;
  /** How long a rendered file stays. */
  readonly availability: number;
}

/** What the operator may change of a plan. */
export interface PlanLimits {
  /** Credits for each calendar month (UTC). */
  readonly credits: number;
  /** Requests of the extraction API for each second. */
  readonly requestsPerSecond: number;
  /** Start and cache calls of the direct job API for each second. */
  readonly startsPerSecond: number;
  /** Jobs of the direct job API that may wait or run at once. */
  readonly jobsAtOnce: number;
}

/** The plans by name. */
export type Plans = Readonly<Record<PlanName, Plan>>;

/** The limits table of the contract; what it leaves open is as good as any, and the operator's to change. */
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
  },
};
