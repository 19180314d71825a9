import type { IncomingHttpHeaders } from 'node:http';
import { MillraceError } from '../contract/errors.ts';
import type { Plans } from '../contract/subscription-plans.ts';
import { bearerToken } from '../sealing/compare-secret.ts';
import { accessDenied, headerValue } from './authentication-headers.ts';
import type { Account, Keys } from './keys.ts';
import { authenticateGateway } from './marketplace-gateway.ts';

/** Configuration for authenticating callers of the extraction API. */
export interface Marketplace {
  readonly keys: Pick<Keys, 'find'>;
  readonly plans: Plans;
  /** Required value of `X-Marketplace-Host`. If undefined, any value is accepted. */
  readonly host: string | undefined;
  /** Secret of the gateway that identifies the callers. If set, API keys are not used. */
  readonly proxySecret: string | undefined;
}

/**
 * Authenticates a caller of the extraction API by `X-Marketplace-Key` and `X-Marketplace-Host`, or, behind a gateway,
 * by the gateway's headers.
 *
 * @throws MillraceError `invalid_user_details`: 401 without a valid key, 403 for a wrong host or an ended subscription.
 */
export async function authenticateExtraction(
  headers: IncomingHttpHeaders,
  { keys, plans, host: requiredHost, proxySecret }: Marketplace,
): Promise<Account> {
  if (proxySecret !== undefined) return authenticateGateway(headers, proxySecret, plans);
  const key = headerValue(headers['x-marketplace-key']);
  if (key === undefined)
    throw accessDenied(401, 'The request has no API key. Send it in the X-Marketplace-Key header.');
  const host = headerValue(headers['x-marketplace-host']);
  if (host === undefined) {
    throw accessDenied(
      401,
      'The request has no API host. Send the host that the marketplace displays in the X-Marketplace-Host header.',
    );
  }
  const account = await keys.find('extraction', key);
  if (account === undefined)
    throw accessDenied(401, 'The key in X-Marketplace-Key is unknown. Check it for typing errors.');
  if (requiredHost !== undefined && host.toLowerCase() !== requiredHost.toLowerCase()) {
    throw accessDenied(403, `The X-Marketplace-Host header must be ${requiredHost}.`);
  }
  if (account.ended) throw accessDenied(403, 'The subscription of this key has ended. Renew it, or use another key.');
  return account;
}

/**
 * Authenticates a caller of the direct job API by the key in `Authorization: Bearer`.
 *
 * @throws MillraceError `unauthorized`
 */
export async function authenticateRender(headers: IncomingHttpHeaders, keys: Pick<Keys, 'find'>): Promise<Account> {
  const key = bearerToken(headers.authorization);
  const account = key === undefined ? undefined : await keys.find('render', key);
  if (account === undefined || account.ended) {
    throw new MillraceError(
      'unauthorized',
      'The render API key is missing or not valid. Send it as "Authorization: Bearer <key>".',
    );
  }
  return account;
}
