import { adminRoutes } from '../contract/admin-api/routes.ts';
import type { ApiDocument } from './document-types.ts';
import { pathsOf, renderResponses } from './route-paths.ts';
import { adminSchemas } from './schemas.ts';

const tag = { name: 'admin', description: 'Administration' };

/**
 * Generates the OpenAPI document of the admin API from its routes.
 *
 * @param version Version of the software.
 */
export function createAdminDocument(version: string): ApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace: administration',
      version,
      'x-millrace-version': version,
      description:
        'The API for operators, on ADMIN_PORT. Changes are recorded in the audit log under the name in the ' +
        '`X-Millrace-Actor` header, or as `admin API` without it.',
    },
    // The document describes the server that it was requested from.
    servers: [{ url: '/' }],
    tags: [tag],
    paths: pathsOf(adminRoutes, () => ({ tags: [tag.name], security: [{ adminToken: [] }] })),
    components: {
      schemas: adminSchemas,
      responses: renderResponses,
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'ADMIN_TOKEN of the service.' },
      },
    },
  };
}
