import type { FastifyInstance } from 'fastify';
import { authenticateExtraction } from '../accounts/authenticate.ts';
import type { Account, Keys } from '../accounts/keys.ts';
import type { Addresses } from '../addresses.ts';
import { type ExtractedContent, type ExtractionResult, errorBody } from '../contract/envelope.ts';
import { MillraceError, toMillraceError } from '../contract/errors.ts';
import type { Egress } from '../egress/egress.ts';
import type {
  Endpoint,
  EndpointParameters,
  Extraction,
  Pages,
  Platform,
  SourceContent,
} from '../platforms/platform.ts';
import { planRenderables } from '../renderables/renderables.ts';
import type { Sealer } from '../sealing.ts';
import { openPages } from './page-tokens.ts';
import { type Query, readParameters } from './read-parameters.ts';
import { renderItems } from './render-items.ts';
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
          const extraction = await extract(endpoint, parameters, pages, services.egress);
          return present(platform, endpoint, parameters, extraction, account, services);
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
      signal: deadline.signal,
    });
  } finally {
    clearTimeout(timer);
    deadline.abort(new Error('the extraction is over'));
  }
}

function present(
  platform: Platform,
  endpoint: Endpoint,
  parameters: EndpointParameters,
  extraction: Extraction,
  account: Account,
  { sealer, addresses }: ExtractionServices,
): ExtractionResult {
  const { metadata, notes = [] } = extraction;
  const offer = { platform: platform.id, title: metadata.title, account, addresses: addresses(), sealer };
  const requested = parameters.renderableFormats as readonly string[] | undefined;
  const contents = extraction.contents?.map((content) => {
    if (endpoint.renderables === undefined) return plainContent(content);
    const planned = planRenderables(content, requested, account.plan, endpoint.renderables);
    return {
      ...plainContent(content),
      ...listIf('renderableVideos', renderItems(planned.videos, offer)),
      ...listIf('renderableAudios', renderItems(planned.audios, offer)),
    };
  });
  return {
    error: null,
    ...(contents === undefined ? {} : { contents }),
    metadata,
    notes: [...notes, `This request cost ${endpoint.credits} credit${endpoint.credits === 1 ? '' : 's'}.`],
  };
}

function plainContent({ videos, audios, images }: SourceContent): ExtractedContent {
  return {
    ...listIf(
      'videos',
      videos?.map(({ item }) => item),
    ),
    ...listIf(
      'audios',
      audios?.map(({ item }) => item),
    ),
    ...listIf(
      'images',
      images?.map(({ item }) => item),
    ),
  };
}

/** A list is present only when there is something in it. */
function listIf<Name extends string, Item>(name: Name, list: readonly Item[] = []): { [key in Name]?: Item[] } {
  return list.length === 0 ? {} : ({ [name]: list } as { [key in Name]: Item[] });
}

function failure(endpoint: Endpoint, error: MillraceError): ExtractionResult {
  return { error: errorBody(error), ...(endpoint.contents ? { contents: [] } : {}), metadata: {} };
}
