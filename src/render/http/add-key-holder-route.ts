import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateKeyHolder, type KeyHolder, type Marketplace } from '../../accounts/authenticate.ts';
import type { Route } from '../../contract/render-api/route.ts';
import { noteAccess } from '../../http/access-log.ts';
import { type AuthenticatedHandler, addAuthenticatedRoute } from '../../http/add-route.ts';
import type { JobRates } from './job-rates.ts';

/** Dependencies of routes that accept both kinds of keys. */
export interface KeyHolderServices {
  readonly marketplace: Marketplace;
  readonly jobRates: Pick<JobRates, 'countCall'>;
}

/**
 * Registers the handler of a route that accepts both kinds of keys. Its responses are private and never cached. The
 * requests of an account have a rate.
 */
export function addKeyHolderRoute<R extends Route & { readonly renderKey: 'either' }>(
  app: FastifyInstance,
  route: R,
  { marketplace, jobRates }: KeyHolderServices,
  handler: AuthenticatedHandler<R, KeyHolder>,
): void {
  async function authenticate(request: FastifyRequest): Promise<KeyHolder> {
    const caller = await authenticateKeyHolder(request.headers, marketplace);
    noteAccess(request, { keyId: caller.account.id, plan: caller.account.plan.name });
    jobRates.countCall(caller.account.id);
    return caller;
  }
  addAuthenticatedRoute(app, route, authenticate, (caller, request, reply) => {
    reply.header('cache-control', 'no-store');
    return handler(caller, request, reply);
  });
}
