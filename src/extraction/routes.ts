import type { FastifyInstance } from 'fastify';
import { authenticateExtraction } from '../accounts/authenticate.ts';
import type { Keys } from '../accounts/keys.ts';
import type { Addresses } from '../addresses.ts';
import { type ExtractionResult, errorBody } from '../contract/envelope.ts';
import { MillraceError, toMillraceError } from '../contract/errors.ts';
import type { Egress } from '../egress/egress.ts';
import type { Endpoint, EndpointParameters, Extraction, Pages, Platform } from '../platforms/platform.ts';
import type { Sealer } from '../sealing.ts';
import { type Wanted, wantedFields } from './field-filter.ts';
import { openPages } from './page-tokens.ts';
import { present } from './present.ts';
import { type Query, readParameters } from './read-parameters.ts';
import { createSourceClient } from './source-client.ts';

/** The time that an extraction has in all. */
const EXTRACTION_TIMEOUT_MS = 25_000;

/** What the extraction API needs. */
export interface ExtractionServices {
  readonly keys: Keys;
  readonly egress: Egress;
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
  for (const platform of platforms) {
    for (const endpoint of platform.endpoints) {
      app.get<{ Querystring: Query }>(`/${platform.id}/v3${endpoint.path}`, async (request, reply) => {
        // The answer holds sealed links that are the caller's alone.
        reply.headers({ 'cache-control': 'private, no-store', vary: 'X-Marketplace-Key' });
        try {
          const account = await authenticateExtraction(request.headers, services.keys, services.marketplaceHost);
          const parameters = readParameters(endpoint.parameters, request.query);
          const pages = openPages(services.sealer, `${platform.id}${endpoint.path}`, parameters);
          const wanted = wantedFields(parameters.fields);
          const extraction = await extract(endpoint, parameters, pages, wanted, services.egress);
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

async function extract(
  endpoint: Endpoint,
  parameters: EndpointParameters,
  pages: Pages,
  wanted: Wanted,
  egress: Egress,
): Promise<Extraction> {
  if (parameters.countryCode !== undefined && parameters.countryCode !== 'worldwide') {
    throw new MillraceError(
      'unsupported_proxy_for_geo_targeting',
      `No exit is configured in ${parameters.countryCode}. Try another countryCode, or omit it.`,
      { parameter: 'countryCode' },
    );
  }
  const deadline = new AbortController();
  const late = new MillraceError('operation_timeout', 'The source took too long to answer. Try again.');
  const timer = setTimeout(() => deadline.abort(late), EXTRACTION_TIMEOUT_MS);
  try {
    const source = createSourceClient(egress, deadline.signal);
    return await endpoint.extract(parameters, {
      source,
      countries: [],
      sourceIn: () => source,
      pages,
      wanted,
      signal: deadline.signal,
    });
  } finally {
    clearTimeout(timer);
    deadline.abort(new Error('the extraction is over'));
  }
}

function failure(endpoint: Endpoint, error: MillraceError): ExtractionResult {
  return { error: errorBody(error), ...(endpoint.contents ? { contents: [] } : {}), metadata: {} };
}
