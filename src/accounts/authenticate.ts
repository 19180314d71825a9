import type { IncomingHttpHeaders } from 'node:http';
import { MillraceError } from '../contract/errors.ts';
import type { Account, Keys } from './keys.ts';

/**
 * Who calls the extraction API: the key in `X-Marketplace-Key`, together with `X-Marketplace-Host`.
 *
 * @throws MillraceError `invalid_user_details`: 401 without a known key, 403 for a wrong host or an ended subscription.
 */
export async function authenticateExtraction(
  headers: IncomingHttpHeaders,
  keys: Keys,
  marketplaceHost: string | undefined,
): Promise<Account> {
  const key = single(headers['x-marketplace-key']);
  if (key === undefined) throw denied(401, 'Send your API key in the X-Marketplace-Key header.');
  const host = single(headers['x-marketplace-host']);
  if (host === undefined) {
    throw denied(401, 'Send the API host that the marketplace shows in the X-Marketplace-Host header.');
  }
  const account = await keys.find('extraction', key);
  if (account === undefined)
    throw denied(401, 'The key in X-Marketplace-Key is not known. Check it for typing errors.');
  if (marketplaceHost !== undefined && host.toLowerCase() !== marketplaceHost.toLowerCase()) {
    throw denied(403, `The X-Marketplace-Host header must be ${marketplaceHost}.`);
  }
  if (account.ended) throw denied(403, 'The subscription of this key has ended. Renew it, or use another key.');
  return account;
}

/**
 * Who calls the direct job API: the key in `Authorization: Bearer`.
 *
 * @throws MillraceError `unauthorized`
 */
export async function authenticateRender(headers: IncomingHttpHeaders, keys: Keys): Promise<Account> {
  const [, key] = /^bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '') ?? [];
  const account = key === undefined ? undefined : await keys.find('render', key);
  if (account === undefined || account.ended) {
    throw new MillraceError('unauthorized', 'Send a valid render API key as "Authorization: Bearer <key>".');
  }
  return account;
}

function single(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

function denied(status: 401 | 403, message: string): MillraceError {
  return new MillraceError('invalid_user_details', message, { status });
}
