import Type from 'typebox';
import { pausedWorkerSchema } from '../contract/worker-pause.ts';
import { statusSchema } from '../extraction/source-health/status.ts';
import { jsonOf, type Operation, type Paths } from './document-types.ts';
import { commonRefusals, errorResponse, refusalRefs } from './error-response.ts';
import { schemaJson } from './schemas.ts';

/** The id of the utility endpoints, beside those of the platforms. */
export const UTILITY_ID = 'openapi';

/** An entry of the list of documents. */
const documentEntrySchema = Type.Object({
  id: Type.String({ description: 'Its name in the path, p1.' }),
  name: Type.String({ description: 'What it is about.' }),
  title: Type.String({ description: 'Title of the document.' }),
  version: Type.String({ description: 'Version of the document.' }),
  endpoints: Type.Integer({ description: 'How many paths it has.' }),
  url: Type.String({ description: 'Where it lies.' }),
});

/** The list of documents. */
const documentListSchema = Type.Object({
  combined: Type.String({ description: 'Where the document of all platforms lies.' }),
  platforms: Type.Array(documentEntrySchema),
});

/** The list of documents. */
export type DocumentList = Type.Static<typeof documentListSchema>;

const commonResponses = refusalRefs('Refused', commonRefusals);

const notModified = { 304: { description: "Not modified since the caller's version (`If-None-Match`)." } };

const documentResponse = {
  200: { description: 'An OpenAPI 3.1 document.', content: jsonOf({ type: 'object' }) },
  ...notModified,
};

const pageResponse = {
  200: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } },
  ...notModified,
};

const aliveContent = jsonOf(schemaJson(Type.Object({ status: Type.Enum(['ok']) })));

const healthContent = jsonOf(
  schemaJson(Type.Object({ status: Type.Enum(['ok']), worker: Type.Optional(pausedWorkerSchema) })),
);

/**
 * The paths of health, of the service and of the platforms, and of these documents.
 *
 * @param ids The ids of the documents.
 */
export function utilityPaths(ids: readonly string[]): Paths {
  return {
    '/health': {
      get: operation('health', 'Whether the service can do its work now', {
        200: { description: 'It can.', content: healthContent },
        503: errorResponse(
          'ExtractionResult',
          'The database or the storage is out of reach, or this node is a paused worker and nothing else.',
          ['service_unavailable'],
        ),
      }),
    },
    '/health/ready': {
      get: operation('ready', 'Whether a balancer should send requests to this node', {
        200: {
          description: 'It should. The storage may be out of reach: extraction and starts work.',
          content: aliveContent,
        },
        503: errorResponse('ExtractionResult', 'The database is out of reach, or the node is about to stop.', [
          'service_unavailable',
        ]),
      }),
    },
    '/health/live': {
      get: operation('alive', 'Whether the process answers, whatever else is out of reach', {
        200: { description: 'It does.', content: aliveContent },
      }),
    },
    '/status': {
      get: operation('status', 'How the platforms answer now, from real traffic', {
        200: { description: 'By platform and endpoint.', content: jsonOf(schemaJson(statusSchema)) },
      }),
    },
    '/docs': {
      get: operation('referencePage', 'The API reference as a web page', pageResponse),
    },
    '/': { get: operation('webPage', 'The service as a web page', pageResponse) },
    '/openapi': { get: operation('combinedDocument', 'The document of all platforms', documentResponse) },
    '/openapi.json': {
      get: operation('combinedDocumentJson', 'The same document under a file name', documentResponse),
    },
    '/openapi/platforms': {
      get: operation('listDocuments', 'The documents that there are', {
        200: { description: 'The list.', content: jsonOf(schemaJson(documentListSchema)) },
        ...notModified,
      }),
    },
    '/openapi/{platform}': {
      get: {
        ...operation('platformDocument', 'The document of one platform', {
          ...documentResponse,
          404: errorResponse('ExtractionResult', 'There is no such platform.', ['not_found']),
        }),
        parameters: [
          {
            name: 'platform',
            in: 'path',
            required: true,
            description: `Id of the platform, or ${UTILITY_ID} for these endpoints; .json may stand behind it.`,
            example: ids[0],
            schema: { type: 'string', enum: ids },
          },
        ],
      },
    },
  };
}

function operation(operationId: string, summary: string, responses: Operation['responses']): Operation {
  const description = `${summary}. Needs no key and costs nothing.`;
  return {
    operationId,
    tags: [UTILITY_ID],
    summary,
    description,
    security: [],
    responses: { ...commonResponses, ...responses },
  };
}
