import { type PlanName, planNames, plans } from '../contract/subscription-plans.ts';
import { anyText, list, plainKey, secret } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';
import { readPlanLimits } from './plan-limits.ts';

/** A key of the extraction API that the operator supplies. */
export interface SeedKey {
  readonly plan: PlanName;
  readonly key: string;
}

/** Settings of keys, plans and marketplace gateways. */
export const accountSettings = {
  MARKETPLACE_HOST: setting({
    description: 'Value that X-Marketplace-Host must have.',
    default: 'any',
    fallback: () => undefined,
    read: anyText,
  }),
  MARKETPLACE_PROXY_SECRET: setting({
    description:
      'Secret of 16 characters or more that a marketplace gateway sends in X-Marketplace-Proxy-Secret. Its headers ' +
      'then name caller and plan of the extraction API instead of keys.',
    default: 'none',
    fallback: () => undefined,
    read: secret,
  }),
  PLAN_LIMITS: setting({
    description:
      'JSON that changes what plans allow: ' +
      '{"BASIC":{"credits":500,"requestsPerSecond":1,"startsPerSecond":1,"jobsAtOnce":5}}.',
    default: 'no changes',
    fallback: () => plans,
    read: readPlanLimits,
  }),
  EXTRACTION_KEYS: setting({
    description: 'Keys of the extraction API to seed: PLAN:key, …',
    default: 'none',
    fallback: () => [],
    read: list(seedKey),
  }),
  RENDER_KEYS: setting({
    description: 'Keys of the direct job API to seed: key, …',
    default: 'none',
    fallback: () => [],
    read: list(plainKey),
  }),
};

function seedKey(text: string): SeedKey {
  const colon = text.indexOf(':');
  const plan = planNames.find((name) => name === text.slice(0, colon).toUpperCase());
  if (plan === undefined) throw new Error(`must be a list of PLAN:key with a plan of ${planNames.join(', ')}`);
  return { plan, key: plainKey(text.slice(colon + 1)) };
}
