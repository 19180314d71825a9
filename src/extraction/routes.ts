import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/keys.ts';
import { allowanceHeaders, LimitError } from '../accounts/limit-error.ts';
import { endpointPath } from '../contract/endpoint-path.ts';
import { type ErrorCode, toMillraceError } from '../contract/errors.ts';
import { mapWorlds, type Worlds, worldFor } from '../contract/worlds.ts';
import { noteAccess } from '../http/access-log.ts';
import { disconnectSignal, hasDisconnected } from '../http/disconnect-signal.ts';
import type { Platform } from '../platforms/platform.ts';
import { type CreditServices, chargeWithReservation, limitsOf } from './charge.ts';
import {
  completeResponse,
  createResponseFetcher,
  findCachedResponse,
  logFailure,
  type ResponseServices,
  refuseBlockedRequest,
} from './fetch-response.ts';
import type { CacheLookup, ExtractionMetrics } from './metrics-port.ts';
import type { QueryParameters } from './request/read-parameters.ts';
import { createRequestReader } from './request/read-request.ts';
import { privateHeaders } from './response/cache-headers.ts';
import { failureResult } from './response/failure-response.ts';
import { chargeFor, maxPrice } from './response/prices.ts';

/** What the extractions of one world use. */
export interface ExtractionWorld extends ResponseServices {
  readonly metrics: Pick<ExtractionMetrics, 'request' | 'credits'>;
}

/** Dependencies of the extraction API. */
export interface ExtractionServices extends CreditServices {
  /**
   * Returns the caller's account.
   *
   * @throws MillraceError if the caller has no access.
   */
  readonly authenticate: (request: FastifyRequest) => Promise<Account>;
  readonly worlds: Worlds<ExtractionWorld>;
}

const json = { 'content-type': 'application/json; charset=utf-8' } as const;

/**
 * Adds one route for each endpoint of each platform. A cached response is charged at its price and sent unchanged (a
 * benchmark measures this path). Any other response is fetched, or its orders are stored, with a reservation of its
 * maximum price.
 */
export function addExtractionRoutes(
  app: FastifyInstance,
  platforms: readonly Platform[],
  { authenticate, worlds, ...credit }: ExtractionServices,
): void {
  for (const platform of platforms) {
    for (const endpoint of platform.endpoints) {
      const endpointWorlds = mapWorlds(worlds, (world) => ({
        services: world,
        readRequest: createRequestReader(platform.id, endpoint, world.sealer),
      }));
      app.get<{ Querystring: QueryParameters }>(endpointPath(platform.id, endpoint.path), async (raw, reply) => {
        reply.headers(privateHeaders);
        let code: ErrorCode | 'ok' = 'ok';
        let account: Account | undefined;
        let cache: CacheLookup | undefined;
        let credits: number | undefined;
        let { metrics } = worlds.live;
        try {
          account = await authenticate(raw);
          const { services, readRequest } = worldFor(endpointWorlds, account.test);
          metrics = services.metrics;
          const request = { platform, endpoint, account, ...readRequest(raw.url, raw.query) };
          refuseBlockedRequest(request, services);
          const noCache = forbidsCache(raw);
          const cachedResponse = noCache ? undefined : await findCachedResponse(request, services);
          if (cachedResponse !== undefined) cache = 'hit';
          const { response, allowance } =
            cachedResponse === undefined || 'complete' in cachedResponse
              ? await chargeWithReservation(
                  credit,
                  account,
                  chargeFor(account, maxPrice(endpoint, request.parameters), cachedResponse !== undefined),
                  cachedResponse === undefined
                    ? createResponseFetcher(
                        request,
                        {
                          disconnected: disconnectSignal(reply),
                          noCache,
                          requestId: raw.id,
                          log: raw.log,
                          onLookup: (lookup) => {
                            cache = lookup;
                          },
                        },
                        services,
                      )
                    : () => completeResponse(cachedResponse, raw.log),
                )
              : {
                  response: cachedResponse,
                  allowance: await credit.ledger.pay(account.id, limitsOf(account), cachedResponse.price),
                };
          code = response.code;
          credits = response.price;
          metrics.credits(account.plan.name, credits);
          reply.headers({ ...response.headers, ...allowanceHeaders(allowance), ...json });
          return response.body;
        } catch (cause) {
          const error = toMillraceError(cause);
          code = error.code;
          logFailure(raw.log, cause, error);
          if (error instanceof LimitError) reply.headers(allowanceHeaders(error.allowance));
          if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
          reply.code(error.status);
          return failureResult(error, endpoint, raw.id, account?.test === true);
        } finally {
          noteAccess(raw, {
            keyId: account?.id,
            plan: account?.plan.name,
            platform: platform.id,
            cache,
            credits,
            ...(code === 'ok' ? {} : { code }),
          });
          const labels = { platform: platform.id, endpoint: endpoint.path };
          metrics.request(labels, hasDisconnected(reply) ? 'caller_left' : code, reply.elapsedTime);
        }
      });
    }
  }
}

/** Whether the caller does not accept a cached result (`no-cache`, RFC 9111 §5.2.1.4). */
function forbidsCache({ headers }: FastifyRequest): boolean {
  return /(?:^|[\s,])no-cache(?:[\s,]|$)/i.test(headers['cache-control'] ?? '');
}
