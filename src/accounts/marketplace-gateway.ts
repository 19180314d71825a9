import type { IncomingHttpHeaders } from 'node:http';
import { type Plans, planNames } from '../contract/subscription-plans.ts';
import { matchesSecret } from '../sealing/compare-secret.ts';
import { accessDenied, headerValue } from './authentication-headers.ts';
import type { Account } from './keys.ts';

/**
 * Authenticates the caller of a marketplace gateway. The gateway sends its secret in `X-Marketplace-Proxy-Secret`, the
 * caller in `X-Marketplace-User` and the plan in `X-Marketplace-Subscription`.
 *
 * @throws MillraceError `invalid_user_details`: 401 if the secret or the caller is missing, 403 if the secret is wrong,
 * or the plan or the caller's name is invalid.
 */
export function authenticateGateway(headers: IncomingHttpHeaders, proxySecret: string, plans: Plans): Account {
  const secret = headerValue(headers['x-marketplace-proxy-secret']);
  if (secret === undefined)
    throw accessDenied(401, 'This service accepts only requests that come through its marketplace.');
  if (!matchesSecret(secret, proxySecret)) throw accessDenied(403, 'The X-Marketplace-Proxy-Secret header is wrong.');
  const user = headerValue(headers['x-marketplace-user']);
  if (user === undefined) throw accessDenied(401, 'The gateway must name the caller in the X-Marketplace-User header.');
  if (!/^[\x20-\x7e]{1,128}$/.test(user)) {
    throw accessDenied(403, 'The X-Marketplace-User header must have 1 to 128 printable ASCII characters.');
  }
  const subscription = headerValue(headers['x-marketplace-subscription'])?.toUpperCase();
  const plan = planNames.find((name) => name === subscription);
  if (plan === undefined) {
    throw accessDenied(403, `The X-Marketplace-Subscription header must name a plan: ${planNames.join(', ')}.`);
  }
  return { id: `gateway:${user}`, plan: plans[plan], test: false };
}
