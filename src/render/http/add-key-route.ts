import type { FastifyInstance, FastifyReply } from 'fastify';
import { authenticateRender } from '../../accounts/authenticate.ts';
import type { Account, Keys } from '../../accounts/keys.ts';
import type { ResultOf, Route } from '../../contract/render-api/route.ts';
import { addRoute, type RouteRequest } from '../../http/add-route.ts';

/** Registers the handler of a route that takes a render key; `account` is that of the key. */
export function addKeyRoute<R extends Route & { readonly renderKey: 'required' }>(
  app: FastifyInstance,
  route: R,
  keys: Pick<Keys, 'find'>,
  handler: (account: Account, request: RouteRequest<R>, reply: FastifyReply) => Promise<ResultOf<R>>,
): void {
  addRoute(app, route, async (request, reply) => {
    const account = await authenticateRender(request.headers, keys);
    return await handler(account, request, reply);
  });
}
