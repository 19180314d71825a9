import type { FastifyInstance } from 'fastify';
import { authenticateExtraction } from '../accounts/authenticate.ts';
import type { Keys } from '../accounts/keys.ts';
import type { Addresses } from '../addresses.ts';
import { type ExtractionResult, errorBody } from '../contract/envelope.ts';
import { type MillraceError, toMillraceError } from '../contract/errors.ts';
import type { Exits } from '../egress/exits.ts';
import type { Endpoint, Platform } from '../platforms/platform.ts';
import type { Sealer } from '../sealing.ts';
import { extract } from './extract.ts';
import { wantedFields } from './field-filter.ts';
import type { Manners } from './manners.ts';
import { openPages } from './page-tokens.ts';
import { present } from './present.ts';
import { type Query, readParameters } from './read-parameters.ts';

/** What the extraction API needs. */
export interface ExtractionServices {
  readonly keys: Keys;
  readonly exits: Exits;
  readonly manners: Manners;
  readonly sealer: Sealer;
  readonly addresses: () => Addresses;
  readonly marketplaceHost: string | undefined;
}

/** Adds one route for each endpoint of each platform. */
export function addExtractionRoutes(
  app: FastifyInstance,
  platforms: readonly Platform[],
  services: ExtractionServices,
): void {
  const { exits, manners } = services;
  for (const platform of platforms) {
    const outside = { platform: platform.id, exits, manners };
    for (const endpoint of platform.endpoints) {
      app.get<{ Querystring: Query }>(`/${platform.id}/v3${endpoint.path}`, async (request, reply) => {
        // The answer holds sealed links that are the caller's alone.
        reply.headers({ 'cache-control': 'private, no-store', vary: 'X-Marketplace-Key' });
        try {
          const account = await authenticateExtraction(request.headers, services.keys, services.marketplaceHost);
          const parameters = readParameters(endpoint.parameters, request.query);
          const pages = openPages(services.sealer, `${platform.id}${endpoint.path}`, parameters);
          const wanted = wantedFields(parameters.fields);
          const extraction = await extract(endpoint, parameters, pages, wanted, outside);
          return present(extraction, { platform, endpoint, parameters, wanted, account }, services);
        } catch (thrown) {
          const error = toMillraceError(thrown);
          request.log[error.origin === 'service' ? 'error' : 'info'](
            { err: thrown, code: error.code },
            'extraction failed',
          );
          reply.code(error.origin === 'source' ? 200 : error.status);
          return failure(endpoint, error);
        }
      });
    }
  }
}

function failure(endpoint: Endpoint, error: MillraceError): ExtractionResult {
  return { error: errorBody(error), ...(endpoint.contents ? { contents: [] } : {}), metadata: {} };
}
