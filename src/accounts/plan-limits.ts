import {
  type Plan,
  type PlanLimits,
  type PlanName,
  type Plans,
  planNames,
  plans,
} from '../contract/subscription-plans.ts';

/** Maximum value of a count. It keeps every count of the ledger well within the range of its column. */
const MAX_COUNT = 1_000_000_000;

/** The limits, each with its maximum value. */
const maxLimits: Readonly<Record<keyof PlanLimits, number>> = {
  credits: MAX_COUNT,
  requestsPerSecond: MAX_COUNT,
  startsPerSecond: MAX_COUNT,
  jobsAtOnce: MAX_COUNT,
  storedSize: Number.MAX_SAFE_INTEGER,
};

/**
 * Returns the plans with an operator's changes: JSON such as `{"BASIC":{"credits":1000,"requestsPerSecond":2}}`.
 * Omitted limits are unchanged.
 *
 * @throws Error whose message states what is wrong; it becomes part of the list of invalid settings.
 */
export function readPlanLimits(json: string): Plans {
  const changes = new Map(Object.entries(parseObject(json)));
  const changedPlans = Object.fromEntries(
    planNames.map((name): [PlanName, Plan] => {
      const limits = changes.get(name) ?? {};
      changes.delete(name);
      return [name, { ...plans[name], ...readLimits(name, limits) }];
    }),
  );
  for (const unknown of changes.keys())
    throw new Error(`contains the unknown plan ${unknown}; the plans are ${planNames.join(', ')}`);
  // The entries above cover every plan name.
  return changedPlans as Plans;
}

function parseObject(json: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  return asObject(value, 'must be a JSON object');
}

function asObject(value: unknown, message: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(message);
  return value;
}

function readLimits(plan: PlanName, changes: unknown): Partial<PlanLimits> {
  const entries = Object.entries(asObject(changes, `must have an object for ${plan}`));
  for (const [name, value] of entries) {
    if (!isLimit(name)) {
      const names = Object.keys(maxLimits).join(', ');
      throw new Error(`contains the unknown limit ${plan}.${name}; the limits are ${names}`);
    }
    const max = maxLimits[name];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
      throw new Error(`must have a whole number from 1 to ${max} as ${plan}.${name}`);
    }
  }
  return Object.fromEntries(entries);
}

function isLimit(name: string): name is keyof PlanLimits {
  return Object.hasOwn(maxLimits, name);
}
