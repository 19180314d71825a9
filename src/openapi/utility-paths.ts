import Type, { type TSchema } from 'typebox';
import { aboutSchema } from '../contract/about.ts';
import { serviceVersionSchema } from '../contract/service-version.ts';
import { pausedWorkerSchema } from '../contract/worker-pause.ts';
import { statusSchema } from '../extraction/source-health/status.ts';
import { type Example, jsonOf, type Operation, type Paths } from './document-types.ts';
import { commonRefusals, errorResponse, refusalRefs } from './error-response.ts';
import { schemaJson } from './schemas.ts';
import { aboutExample, healthExample, statusExample, versionExample } from './utility-examples.ts';

/** The ID of the utility endpoints, alongside those of the platforms. */
export const UTILITY_ID = 'openapi';

/** An entry of the list of documents. */
const documentEntrySchema = Type.Object({
  id: Type.String({ description: 'Name of the document in the path, such as p1.' }),
  name: Type.String({ description: 'Subject of the document.' }),
  title: Type.String({ description: 'Title of the document.' }),
  version: Type.String({ description: 'Version of the document.' }),
  endpoints: Type.Integer({ description: 'Number of paths in the document.' }),
  url: Type.String({ description: 'URL of the document.' }),
});

/** The list of documents. */
const documentListSchema = Type.Object({
  combined: Type.String({ description: 'URL of the document for all platforms.' }),
  platforms: Type.Array(documentEntrySchema),
});

/** The list of documents. */
export type DocumentList = Type.Static<typeof documentListSchema>;

/** An example of the body of `/openapi/platforms`. */
const documentListExample: DocumentList = {
  combined: 'https://millrace.example/openapi',
  platforms: [
    {
      id: 'p1',
      name: 'YouTube',
      title: 'Millrace: YouTube',
      version: '3.0.0',
      endpoints: 17,
      url: 'https://millrace.example/openapi/p1',
    },
  ],
};

const commonResponses = refusalRefs('Refused', commonRefusals);

const notModified = { 304: { description: "Not modified since the caller's version (`If-None-Match`)." } };

const documentResponse = {
  200: { description: 'An OpenAPI 3.1 document.', content: jsonOf({ type: 'object', additionalProperties: true }) },
  ...notModified,
};

const pageResponse = {
  200: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } },
  ...notModified,
};

const aliveContent = contentOf(Type.Object({ status: Type.Enum(['ok']) }), healthExample);

const healthContent = contentOf(
  Type.Object({ status: Type.Enum(['ok']), worker: Type.Optional(pausedWorkerSchema) }),
  healthExample,
);

/**
 * Returns the paths of the health endpoints of the service and the platforms, and of these documents.
 *
 * @param ids The IDs of the documents.
 */
export function utilityPaths(ids: readonly string[]): Paths {
  return {
    '/health': {
      get: operation('health', 'Check the health of the service', {
        200: { description: 'The service is working.', content: healthContent },
        503: errorResponse('ExtractionFailure', 503, {
          description:
            'The database or the storage is unreachable, or this node is a paused worker without other roles.',
          codes: ['service_unavailable'],
        }),
      }),
    },
    '/health/ready': {
      get: operation('ready', 'Check whether a load balancer should send requests to this node', {
        200: {
          description:
            'The node should receive requests. The storage may be unreachable: extraction and job starts work without it.',
          content: aliveContent,
        },
        503: errorResponse('ExtractionFailure', 503, {
          description:
            'The database is unreachable, the node is about to stop, or an administrator drains it (`error.reason` is `draining`).',
          codes: ['service_unavailable'],
        }),
      }),
    },
    '/health/live': {
      get: operation('alive', 'Check whether the process responds, whatever else is unreachable', {
        200: { description: 'The process responds.', content: aliveContent },
      }),
    },
    '/version': {
      get: operation('version', 'Get the versions of the software and its APIs', {
        200: { description: 'The versions.', content: contentOf(serviceVersionSchema, versionExample) },
      }),
    },
    '/status': {
      get: operation('status', 'Get the current health of the platforms, measured by real traffic', {
        200: { description: 'Health by platform and endpoint.', content: contentOf(statusSchema, statusExample) },
      }),
    },
    '/docs': {
      get: operation('referencePage', 'Get the API reference as a web page', pageResponse),
    },
    '/about': {
      get: operation('about', 'Get the operator of the service, its terms, and what it keeps for how long', {
        200: {
          description: 'A page, or JSON if the request accepts `application/json` and not `text/html`.',
          content: { ...contentOf(aboutSchema, aboutExample), ...pageResponse[200].content },
        },
        ...notModified,
      }),
    },
    '/': { get: operation('webPage', 'Get the web page of the service', pageResponse) },
    '/openapi': { get: operation('combinedDocument', 'Get the OpenAPI document for all platforms', documentResponse) },
    '/openapi.json': {
      get: operation(
        'combinedDocumentJson',
        'Get the OpenAPI document for all platforms as openapi.json',
        documentResponse,
      ),
    },
    '/openapi/platforms': {
      get: operation('listDocuments', 'List the available OpenAPI documents', {
        200: { description: 'The list.', content: contentOf(documentListSchema, documentListExample) },
        ...notModified,
      }),
    },
    '/openapi/{platform}': {
      get: {
        ...operation('platformDocument', 'Get the OpenAPI document for one platform', {
          ...documentResponse,
          404: errorResponse('ExtractionFailure', 404, {
            description: 'No such platform exists.',
            codes: ['not_found'],
          }),
        }),
        parameters: [
          {
            name: 'platform',
            in: 'path',
            required: true,
            description: `ID of the platform, or ${UTILITY_ID} for these endpoints; .json may be appended.`,
            example: ids[0],
            schema: { type: 'string', enum: ids },
          },
        ],
      },
    },
  };
}

/** Returns a JSON body with a schema and its example. */
function contentOf(schema: TSchema, value: object) {
  const result: Example = { summary: 'Result', value };
  return jsonOf(schemaJson(schema), { result });
}

function operation(operationId: string, summary: string, responses: Operation['responses']): Operation {
  const description = `${summary}. No key is needed, and requests are free.`;
  return {
    operationId,
    tags: [UTILITY_ID],
    summary,
    description,
    security: [],
    responses: { ...commonResponses, ...responses },
  };
}
