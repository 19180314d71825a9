import type { IncomingHttpHeaders } from 'node:http';
import { type Plans, planNames } from '../contract/plans.ts';
import { isSecret } from '../sealing/signing-secrets.ts';
import { denied, single } from './headers.ts';
import type { Account } from './keys.ts';

/**
 * Whom a marketplace gateway speaks for: it shows the secret in `X-Marketplace-Proxy-Secret`, and names the caller in
 * `X-Marketplace-User` and its plan in `X-Marketplace-Subscription`.
 *
 * @throws MillraceError `invalid_user_details`: 401 where the secret or the caller is missing, 403 where the secret is
 *   wrong, or the plan or the name cannot be one.
 */
export function authenticateGateway(headers: IncomingHttpHeaders, proxySecret: string, plans: Plans): Account {
  const shown = single(headers['x-marketplace-proxy-secret']);
  if (shown === undefined) throw denied(401, 'This service answers calls through its marketplace alone.');
  if (!isSecret(shown, proxySecret)) throw denied(403, 'The X-Marketplace-Proxy-Secret header is wrong.');
  const user = single(headers['x-marketplace-user']);
  if (user === undefined) throw denied(401, 'The gateway must name the caller in the X-Marketplace-User header.');
  if (!/^[\x20-\x7e]{1,128}$/.test(user)) {
    throw denied(403, 'The X-Marketplace-User header must have 1 to 128 printable ASCII characters.');
  }
  const subscription = single(headers['x-marketplace-subscription'])?.toUpperCase();
  const plan = planNames.find((name) => name === subscription);
  if (plan === undefined) {
    throw denied(403, `The X-Marketplace-Subscription header must name a plan: ${planNames.join(', ')}.`);
  }
  return { id: `gateway:${user}`, plan: plans[plan], ended: false };
}
