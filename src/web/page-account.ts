import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { denied } from '../accounts/headers.ts';
import type { Account, Keys } from '../accounts/keys.ts';
import { clientNetwork } from '../http/connections/client-network.ts';
import { createVisitorLimit, type VisitorRate } from './visitors.ts';

/** Whom the page asks for. */
export interface PageAccount {
  /** Whether the operator has switched the page on, with a key that works. */
  isOpen(): Promise<boolean>;
  /**
   * The account that a question of the page is asked for.
   *
   * @throws MillraceError `rate_limited` for a visitor who asks too often; `invalid_user_details` where the page is off.
   */
  of(request: Pick<FastifyRequest, 'ip'>): Promise<Account>;
}

/** The header that the page's own questions bear. */
export const pageHeader = 'x-millrace-page';

/**
 * Whether a request is a question of the page. A browser says by itself, in a header that no script can set, where a
 * request comes from (https://www.w3.org/TR/fetch-metadata/), and says it on https and to this machine alone.
 */
export function isPageRequest(headers: IncomingHttpHeaders): boolean {
  return (
    headers[pageHeader] !== undefined &&
    headers['sec-fetch-site'] === 'same-origin' &&
    headers['x-marketplace-key'] === undefined
  );
}

/** Opens the page's account, by the key that the operator has set. */
export function openPageAccount(keys: Pick<Keys, 'find'>, key: string | undefined, rate: VisitorRate): PageAccount {
  const count = createVisitorLimit(rate);
  const find = async () => {
    const account = key === undefined ? undefined : await keys.find('extraction', key);
    return account?.ended === false ? account : undefined;
  };
  return {
    isOpen: async () => (await find()) !== undefined,
    async of({ ip }) {
      const account = await find();
      if (account === undefined) throw denied(403, 'The page is switched off. Its operator can switch it on.');
      const visitor = clientNetwork(ip);
      count(visitor);
      return { ...account, visitor: nameOf(visitor) };
    },
  };
}

/** Names a visitor without telling the address. */
function nameOf(visitor: string): string {
  return createHash('sha256').update(visitor).digest('base64url').slice(0, 16);
}
