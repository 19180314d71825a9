import { adminRoutes } from '../contract/admin-api/routes.ts';
import { type ApiDocument, license } from './document-types.ts';
import { errorExamples } from './error-examples.ts';
import { pathsOf, renderResponses } from './route-paths.ts';
import { adminSchemas } from './schemas.ts';
import { usedComponents } from './used-components.ts';

const tag = { name: 'admin', description: 'Administration' };

/**
 * Generates the OpenAPI document of the admin API from its routes.
 *
 * @param version Version of the software.
 */
export function createAdminDocument(version: string): ApiDocument {
  const paths = pathsOf(adminRoutes, () => ({ tags: [tag.name], security: [{ adminToken: [] }] }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace: administration',
      version,
      'x-millrace-version': version,
      description:
        'The API for operators, on ADMIN_PORT. Changes are recorded in the audit log under the name in the ' +
        '`X-Millrace-Actor` header, or as `admin API` without it.',
      license,
    },
    // The document describes the server that it was requested from.
    servers: [{ url: '/' }],
    tags: [tag],
    paths,
    components: usedComponents(paths, {
      examples: errorExamples,
      schemas: adminSchemas,
      responses: renderResponses,
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'ADMIN_TOKEN of the service.' },
      },
    }),
  };
}
