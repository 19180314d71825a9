import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateExtraction } from '../accounts/authenticate.ts';
import type { Keys } from '../accounts/keys.ts';
import type { Addresses } from '../addresses.ts';
import { type ExtractionResult, errorBody } from '../contract/envelope.ts';
import { type ErrorCode, type MillraceError, toMillraceError } from '../contract/errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Endpoint, Platform } from '../platforms/platform.ts';
import type { Sealer } from '../sealing.ts';
import type { Answers } from './answers.ts';
import { cacheHeaders, callersOwn } from './cache-headers.ts';
import { untilGone } from './caller.ts';
import type { Extracted } from './extract.ts';
import { wantedFields } from './field-filter.ts';
import { present } from './present.ts';
import { questionOf } from './question.ts';
import { type Query, readParameters } from './read-parameters.ts';
import type { SourceHealth } from './source-health/source-health.ts';

/** What the extraction API needs. */
export interface ExtractionServices {
  readonly keys: Keys;
  readonly answers: Answers;
  readonly health: SourceHealth;
  readonly metrics: Metrics;
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
        reply.headers(callersOwn);
        const caller = untilGone(reply);
        const note = () => services.health.note(platform.id);
        let code: ErrorCode | 'ok' = 'ok';
        try {
          const account = await authenticateExtraction(request.headers, services.keys, services.marketplaceHost);
          const parameters = readParameters(endpoint.parameters, request.query);
          const question = questionOf(platform.id, endpoint, parameters, services.sealer);
          const answer = await services.answers.find(question, caller, wantsFresh(request));
          const wanted = wantedFields(parameters.fields);
          const asked = { platform, endpoint, parameters, wanted, account };
          const result = present(withNote(answer.extraction, note()), asked, services);
          reply.headers(cacheHeaders(answer, result, services.addresses().base));
          return result;
        } catch (thrown) {
          const error = toMillraceError(thrown);
          code = error.code;
          request.log[error.origin === 'service' ? 'error' : 'info'](
            { err: thrown, code: error.code },
            'extraction failed',
          );
          reply.code(error.origin === 'source' ? 200 : error.status);
          return failure(endpoint, error, error.origin === 'source' ? note() : undefined);
        } finally {
          const labels = { platform: platform.id, endpoint: endpoint.path };
          services.metrics.request(labels, caller.aborted ? 'caller_left' : code, reply.elapsedTime);
        }
      });
    }
  }
}

/** Whether the caller wants no kept answer (RFC 9111 §5.2.1.4). */
function wantsFresh({ headers }: FastifyRequest): boolean {
  return /(?:^|[\s,])no-cache(?:[\s,]|$)/i.test(headers['cache-control'] ?? '');
}

function withNote(extraction: Extracted, note: string | undefined): Extracted {
  return note === undefined ? extraction : { ...extraction, notes: [...(extraction.notes ?? []), note] };
}

function failure(endpoint: Endpoint, error: MillraceError, note: string | undefined): ExtractionResult {
  return {
    error: errorBody(error),
    ...(endpoint.contents ? { contents: [] } : {}),
    metadata: {},
    ...(note === undefined ? {} : { notes: [note] }),
  };
}
