import type { Addresses } from '../contract/addresses.ts';
import { linkRoutes, renderRoutes } from '../contract/render-api/routes.ts';
import type { Platform } from '../platforms/platform.ts';
import { type ApiDocument, license, type Paths, type Tag } from './document-types.ts';
import { errorExamples } from './error-examples.ts';
import { extractionResponses } from './extraction-responses.ts';
import { marketplaceSecurity, platformPaths } from './platform-paths.ts';
import { renderResponses, renderSecurity, routePaths } from './route-paths.ts';
import { extractionSchemas, renderSchemas } from './schemas.ts';
import { renderTags, shownTag } from './tags.ts';
import { usedComponents } from './used-components.ts';
import { type DocumentList, UTILITY_ID, utilityPaths } from './utility-paths.ts';

const DESCRIPTION =
  'Media links, metadata and render configs of media platforms in one JSON envelope. Check `error` in the body first, ' +
  'whatever the HTTP status. The examples use items of the lab, a simulation of the platforms for test keys ' +
  'and the demo.';

/** A document with its ID and its name. */
interface NamedDocument {
  readonly id: string;
  readonly name: string;
  readonly document: ApiDocument;
}

/** All documents of the API. */
interface ApiDocuments {
  /** All platforms, the render API, the links in responses and the utility endpoints. */
  readonly combined: ApiDocument;
  /** One document for each platform, and one for the utility endpoints. */
  readonly single: readonly NamedDocument[];
  readonly list: DocumentList;
}

/**
 * Generates the documents from the platforms' endpoints and the routes of the contract. The document of a platform has
 * its own version; the others have the version of the software, which all documents state as `x-millrace-version`.
 *
 * @param software Version of the software.
 */
export function createDocuments(platforms: readonly Platform[], addresses: Addresses, software: string): ApiDocuments {
  const { base } = addresses;
  const servers = [{ url: base }];
  const utility = {
    tag: { name: UTILITY_ID, description: 'Health and documents' },
    paths: utilityPaths([...platforms.map(({ id }) => id), UTILITY_ID]),
  };
  const parts = [...platforms.map(partOf), { ...utility, version: software }];
  const single = parts.map(({ tag, paths, version }) => ({
    id: tag.name,
    name: tag.description,
    document: {
      ...head(`Millrace: ${tag.description}`, version, software),
      servers,
      tags: [tag],
      paths,
      components: usedComponents(paths, allComponents),
    },
  }));
  const paths: Paths = Object.assign(
    {},
    ...parts.map((part) => part.paths),
    routePaths(renderRoutes, 'render', addresses),
    routePaths(linkRoutes, 'links', addresses),
  );
  return {
    combined: {
      ...head('Millrace', software, software),
      servers,
      tags: [...parts.map(({ tag }) => tag), ...renderTags].map(shownTag),
      paths,
      components: usedComponents(paths, allComponents),
    },
    single,
    list: { combined: `${base}/openapi`, platforms: single.map((entry) => listEntry(entry, base)) },
  };
}

function partOf(platform: Platform): { tag: Tag; paths: Paths; version: string } {
  const { id, title, version } = platform;
  return { tag: { name: id, description: title }, paths: platformPaths(platform), version };
}

function head(title: string, version: string, software: string): Pick<ApiDocument, 'openapi' | 'info'> {
  return {
    openapi: '3.1.0',
    info: { title, version, 'x-millrace-version': software, description: DESCRIPTION, license },
  };
}

function listEntry({ id, name, document }: NamedDocument, base: string): DocumentList['platforms'][number] {
  const { title, version } = document.info;
  return { id, name, title, version, endpoints: Object.keys(document.paths).length, url: `${base}/openapi/${id}` };
}

const allComponents = {
  examples: errorExamples,
  schemas: { ...extractionSchemas, ...renderSchemas },
  responses: { ...extractionResponses, ...renderResponses },
  securitySchemes: { ...marketplaceSecurity, ...renderSecurity },
};
