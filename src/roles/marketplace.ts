import type { Marketplace } from '../accounts/authenticate.ts';
import type { CoreServices } from './services.ts';

/** Returns how the callers of a node are authenticated. */
export function marketplaceOf({ config, keys }: Pick<CoreServices, 'config' | 'keys'>): Marketplace {
  const { MARKETPLACE_HOST: host, MARKETPLACE_PROXY_SECRET: proxySecret, PLAN_LIMITS: plans } = config;
  return { keys, plans, host, proxySecret };
}
