import type { FastifyInstance } from 'fastify';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { addRoute } from '../http/add-route.ts';
import { createAdminDocument } from '../openapi/admin-document.ts';

/** Adds the route of the OpenAPI document, which is generated at the first request. */
export function addDocumentRoute(app: FastifyInstance, { version }: { readonly version: string }): void {
  let document: ReturnType<typeof createAdminDocument> | undefined;
  addRoute(app, adminRoutes.getAdminDocument, async () => {
    document ??= createAdminDocument(version);
    return document;
  });
}
