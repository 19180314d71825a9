const MB = 1_000_000;
const GB = 1_000 * MB;
const HOUR = 3_600_000;

/** The plans a key can have. */
export const planNames = ['BASIC', 'PRO', 'ULTRA', 'MEGA'] as const;

/** The name of a plan. */
export type PlanName = (typeof planNames)[number];

/** What a plan allows. Sizes are bytes (decimal units), times are milliseconds. */
export interface Plan {
  readonly name: PlanName;
  /** How many formats of `renderableFormats` one request gets render configs for. */
  readonly renderableCount: number;
  /** Largest rendered file. */
  readonly renderSize: number;
  /** How long a rendered file stays. */
  readonly availability: number;
}

/** The limits table of the contract. */
export const plans: Readonly<Record<PlanName, Plan>> = {
  BASIC: { name: 'BASIC', renderableCount: 1, renderSize: 500 * MB, availability: HOUR },
  PRO: { name: 'PRO', renderableCount: 3, renderSize: 1.5 * GB, availability: HOUR },
  ULTRA: { name: 'ULTRA', renderableCount: 6, renderSize: 2.5 * GB, availability: 2 * HOUR },
  MEGA: { name: 'MEGA', renderableCount: 6, renderSize: 3.5 * GB, availability: 2 * HOUR },
};
