import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../contract/addresses.ts';
import { MillraceError } from '../contract/errors.ts';
import type { Plan } from '../contract/subscription-plans.ts';
import { type CacheableDocument, cacheableDocument, sendDocument } from '../http/cacheable-document.ts';
import type { Platform } from '../platforms/platform.ts';
import { createDocuments } from './documents.ts';
import { errorSection, limitSection } from './sections.ts';

/** The service that the documents describe. */
interface DocumentedService {
  readonly platforms: readonly Platform[];
  readonly plans: readonly Plan[];
  readonly addresses: () => Addresses;
  /** Version of the software. */
  readonly version: string;
}

/** The documents compress themselves. */
const asItIs = { config: { compress: false } } as const;

/**
 * Adds the public documents of the API: `/openapi`, `/openapi/platforms` and `/openapi/{platform}`, each with or
 * without `.json`. They are generated at the first request, when the service knows its addresses.
 */
export function addOpenapiRoutes(app: FastifyInstance, service: DocumentedService): void {
  let cachedDocuments: Documents | undefined;
  const documents = () => {
    cachedDocuments ??= buildDocuments(service);
    return cachedDocuments;
  };

  for (const path of ['/openapi', '/openapi.json']) {
    app.get(path, asItIs, (request, reply) => sendDocument(request, reply, documents().combined));
  }
  app.get<{ Params: { name: string } }>('/openapi/:name', asItIs, async (request, reply) => {
    const name = request.params.name.replace(/\.json$/, '');
    const { byName } = documents();
    const document = byName.get(name);
    if (document !== undefined) return sendDocument(request, reply, document);
    const message = `There is no document with that name. Available documents: ${[...byName.keys()].join(', ')}.`;
    throw new MillraceError('not_found', message, { parameter: 'platform' });
  });
}

interface Documents {
  readonly combined: CacheableDocument;
  /** Documents by their name in the path. */
  readonly byName: ReadonlyMap<string, CacheableDocument>;
}

function buildDocuments({ platforms, plans, addresses, version }: DocumentedService): Documents {
  const { combined, single, list } = createDocuments(platforms, addresses(), version);
  const json = (value: object) => cacheableDocument(JSON.stringify(value), 'application/json');
  const description = [combined.info.description, errorSection(), limitSection(plans)].join('\n\n');
  return {
    combined: json({ ...combined, info: { ...combined.info, description } }),
    byName: new Map([['platforms', json(list)], ...single.map(({ id, document }) => [id, json(document)] as const)]),
  };
}
