import type { FastifyInstance } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import type { Account, Keys } from '../../accounts/keys.ts';
import type { Route } from '../../contract/render-api/route.ts';
import { type AuthenticatedHandler, addAuthenticatedRoute } from '../../http/add-route.ts';

/** Registers the handler of a route that requires a render key; `account` is the key's account. */
export function addKeyAuthenticatedRoute<R extends Route & { readonly renderKey: 'required' }>(
  app: FastifyInstance,
  route: R,
  keys: Pick<Keys, 'find'>,
  handler: AuthenticatedHandler<R, Account>,
): void {
  addAuthenticatedRoute(app, route, (headers) => authenticateRender(headers, keys), handler);
}
