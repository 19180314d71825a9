import { type PlanName, planNames, plans } from '../contract/subscription-plans.ts';
import { anyText, list, plainKey, secret } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';
import { readPlanLimits } from './plan-limits.ts';

/** An extraction API key that the operator supplies. */
export interface SeedKey {
  readonly plan: PlanName;
  readonly key: string;
}

/** Settings of keys, plans and marketplace gateways. */
export const accountSettings = {
  MARKETPLACE_HOST: setting({
    description: 'Required value of the X-Marketplace-Host header.',
    default: 'any',
    fallback: () => undefined,
    read: anyText,
  }),
  MARKETPLACE_PROXY_SECRET: setting({
    description:
      'Secret of at least 16 characters that a marketplace gateway sends in X-Marketplace-Proxy-Secret. The ' +
      "gateway's headers, instead of keys, then identify the callers of the extraction API and their plans.",
    default: 'none',
    fallback: () => undefined,
    read: secret,
  }),
  PLAN_LIMITS: setting({
    description:
      'JSON that changes the limits of plans: ' +
      '{"BASIC":{"credits":500,"requestsPerSecond":1,"startsPerSecond":1,"jobsAtOnce":5,"storedSize":10000000000}}.',
    default: 'no changes',
    fallback: () => plans,
    read: readPlanLimits,
  }),
  KEY_HASH_SECRETS: setting({
    description:
      'Secrets of at least 16 characters, comma-separated, under which hashes of keys are stored. The first hashes ' +
      'keys; all of them find keys. A key is moved to the first one when it is used.',
    default: 'one that is generated once and stored in the database',
    fallback: () => undefined,
    read: list(secret),
  }),
  EXTRACTION_KEYS: setting({
    description: 'Extraction API keys to create when the service starts: PLAN:key, …',
    default: 'none',
    fallback: () => [],
    read: list(seedKey),
  }),
  RENDER_KEYS: setting({
    description: 'Direct job API keys to create when the service starts: key, …',
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
