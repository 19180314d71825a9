import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { accessDenied } from '../accounts/authentication-headers.ts';
import type { Account, Keys } from '../accounts/keys.ts';
import { createRequestRate, type RequestRate } from '../accounts/request-rate.ts';
import { visitorIdOf } from '../accounts/visitor.ts';
import { clientNetworks } from '../http/connections/client-network.ts';

/** The account of the page's requests. */
export interface PageAccount {
  /** Whether the operator has turned the page on, with a valid key. */
  isOpen(): Promise<boolean>;
  /**
   * Returns the account of a request of the page.
   *
   * @throws MillraceError `rate_limited` for a visitor with too many requests; `invalid_user_details` if the page is off.
   */
  forRequest(request: Pick<FastifyRequest, 'clientAddress'>): Promise<Account>;
}

/** The header of the page's own requests. */
const pageHeader = 'x-millrace-page';

/**
 * Whether a request comes from the page. Browsers state the origin of a request in a header that no script can set
 * (https://www.w3.org/TR/fetch-metadata/), on HTTPS and on localhost only.
 */
export function isPageRequest(headers: IncomingHttpHeaders): boolean {
  return (
    headers[pageHeader] !== undefined &&
    headers['sec-fetch-site'] === 'same-origin' &&
    headers['x-marketplace-key'] === undefined
  );
}

/** Opens the page's account with the operator's key. */
export function openPageAccount(keys: Pick<Keys, 'find'>, key: string | undefined, rate: RequestRate): PageAccount {
  const countRequest = createRequestRate(rate);
  const find = async () => {
    const account = key === undefined ? undefined : await keys.find('extraction', key);
    return account?.endReason === undefined ? account : undefined;
  };
  return {
    isOpen: async () => (await find()) !== undefined,
    async forRequest({ clientAddress }) {
      const account = await find();
      if (account === undefined || key === undefined)
        throw accessDenied(403, 'The page is turned off. Its operator can turn it on.');
      const visitor = clientNetworks(clientAddress);
      countRequest(visitor);
      return { ...account, visitor: visitorIdOf(visitor, key) };
    },
  };
}
