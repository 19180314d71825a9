import type { IncomingHttpHeaders } from 'node:http';
import { MillraceError } from '../contract/errors.ts';
import type { KeyKind } from '../contract/key-kinds.ts';
import type { Plans } from '../contract/subscription-plans.ts';
import { bearerToken } from '../sealing/compare-secret.ts';
import { accessDenied, headerValue } from './authentication-headers.ts';
import { endReasonTexts } from './end-reasons.ts';
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
  const { endReason } = account;
  if (endReason !== undefined) throw accessDenied(403, endReasonTexts[endReason]);
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
  if (account === undefined) {
    throw new MillraceError(
      'unauthorized',
      'The render API key is missing or not valid. Send it as "Authorization: Bearer <key>".',
    );
  }
  const { endReason } = account;
  if (endReason !== undefined) throw new MillraceError('unauthorized', endReasonTexts[endReason]);
  return account;
}

/** A caller of an endpoint that accepts both kinds of keys. */
export interface KeyHolder {
  readonly account: Account;
  readonly kind: KeyKind;
}

/**
 * Authenticates a caller by the key in a header: a render key, or the credentials of the extraction API. Requests of
 * the page have no key and are refused, because all its visitors share one account.
 *
 * @throws MillraceError `unauthorized` without a key; see also {@link authenticateRender} and
 * {@link authenticateExtraction}.
 */
export async function authenticateKeyHolder(
  headers: IncomingHttpHeaders,
  marketplace: Marketplace,
): Promise<KeyHolder> {
  if (headers.authorization !== undefined)
    return { account: await authenticateRender(headers, marketplace.keys), kind: 'render' };
  const { proxySecret } = marketplace;
  const credential = headers[proxySecret === undefined ? 'x-marketplace-key' : 'x-marketplace-proxy-secret'];
  if (headerValue(credential) === undefined) {
    const message =
      'The request has no API key. Send a render key as "Authorization: Bearer <key>", or the X-Marketplace headers.';
    throw new MillraceError('unauthorized', message);
  }
  return { account: await authenticateExtraction(headers, marketplace), kind: 'extraction' };
}
