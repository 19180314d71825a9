import Type from 'typebox';
import { refusal } from '../render-api/route.ts';
import { type AdminRoute, adminBase, unauthorized } from './admin-route.ts';

/** Returns the OpenAPI document of the admin API. */
export const getAdminDocument = {
  method: 'GET',
  path: `${adminBase}/openapi`,
  summary: 'Get the OpenAPI document of the admin API',
  description: 'Returns this document.',
  responses: {
    200: { description: 'An OpenAPI 3.1 document.', schema: Type.Object({}) },
    ...unauthorized,
  },
} as const satisfies AdminRoute;

/** Sends a backup of the embedded database. */
export const downloadBackup = {
  method: 'GET',
  path: `${adminBase}/backup`,
  summary: 'Download a backup',
  description: 'Creates a backup of the embedded database and sends it. Keep it private: it contains secrets.',
  responses: {
    200: { description: 'A gzipped tar archive.', mediaType: 'application/gzip', schema: Type.Unknown() },
    ...unauthorized,
    404: refusal('The service uses a PostgreSQL server, which has its own tools for backups.', 'not_found'),
  },
} as const satisfies AdminRoute;

const unreadParameters = { schema: Type.Object({ id: Type.String({ description: 'ID of the kept response.' }) }) };

/** Lists the kept responses of sites. */
export const listUnread = {
  method: 'GET',
  path: `${adminBase}/unread`,
  summary: 'List responses that could not be read',
  description: 'Returns the responses of platforms that this node keeps because it could not read them, newest first.',
  responses: {
    200: {
      description: 'The kept responses.',
      schema: Type.Object({
        unread: Type.Array(
          Type.Object({
            id: Type.String(),
            at: Type.String({ format: 'date-time', description: 'When the response was kept.' }),
            platform: Type.String(),
            endpoint: Type.String(),
            kinds: Type.Record(Type.String(), Type.Integer(), { description: 'Number of entries by kind.' }),
            exchanges: Type.Integer({ description: 'Number of requests to the platform.' }),
            size: Type.Integer({ description: 'Bytes of their JSON.' }),
          }),
        ),
      }),
    },
    ...unauthorized,
    404: refusal('This node keeps no responses.', 'not_found'),
  },
} as const satisfies AdminRoute;

/** Returns a kept response. */
export const getUnread = {
  method: 'GET',
  path: `${adminBase}/unread/{id}`,
  summary: 'Get a response that could not be read',
  description: 'Returns the requests and responses of a kept extraction, in the layout of a recording.',
  parameters: unreadParameters,
  responses: {
    200: {
      description: 'The requests and responses.',
      schema: Type.Object({ exchanges: Type.Array(Type.Unknown()) }),
    },
    ...unauthorized,
    404: refusal('No kept response has this ID, or this node keeps no responses.', 'not_found'),
  },
} as const satisfies AdminRoute;
