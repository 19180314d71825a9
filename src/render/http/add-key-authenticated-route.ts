import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import type { Account, Keys } from '../../accounts/keys.ts';
import type { Route } from '../../contract/render-api/route.ts';
import { noteAccess } from '../../http/access-log.ts';
import { type AuthenticatedHandler, addAuthenticatedRoute } from '../../http/add-route.ts';

/** Registers the handler of a route that requires a render key; `account` is the key's account. */
export function addKeyAuthenticatedRoute<R extends Route & { readonly renderKey: 'required' }>(
  app: FastifyInstance,
  route: R,
  keys: Pick<Keys, 'find'>,
  handler: AuthenticatedHandler<R, Account>,
): void {
  async function authenticate(request: FastifyRequest): Promise<Account> {
    const account = await authenticateRender(request.headers, keys);
    // Before the body is checked, so that the log names the key of a request that is not valid.
    noteAccess(request, { keyId: account.id, plan: account.plan.name });
    return account;
  }
  addAuthenticatedRoute(app, route, authenticate, handler);
}
