import { type Addresses, webSocketAddress } from '../contract/addresses.ts';
import type { Endpoint, Route, RouteResponse } from '../contract/render-api/route.ts';
import type { Operation, Paths, Response } from './document-types.ts';
import type { FailureName } from './error-examples.ts';
import { commonRefusals, errorResponse, headersOf, refusalComponents, refusalRefs } from './error-response.ts';
import { parametersIn } from './parameters.ts';
import { schemaOrRef } from './schemas.ts';

/** `components.securitySchemes` of the render API. */
export const renderSecurity = {
  renderKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Render key, from the operator of the service. Keep it on a server.',
  },
};

/** `components.responses` of the render API. */
export const renderResponses = refusalComponents('Failed', 'Failure', commonRefusals);

/** Security requirements of an operation, by whether callers send a render key. */
const security = {
  required: [{ renderKey: [] }],
  either: [{ renderKey: [] }, { marketplaceKey: [], marketplaceHost: [] }],
  optional: [{ renderKey: [] }, {}],
  none: [],
} as const satisfies Record<Route['renderKey'], Operation['security']>;

/** Returns the paths of routes of the public API, by operation ID, under a tag. */
export function routePaths(routes: Readonly<Record<string, Route>>, tag: string, addresses: Addresses): Paths {
  return pathsOf(routes, (route) => ({
    tags: [tag],
    security: security[route.renderKey],
    ...serversOf(route, addresses),
  }));
}

/**
 * Returns the paths of endpoints by operation ID.
 *
 * @param placeOf Returns how an operation is reached.
 */
export function pathsOf<E extends Endpoint & Pick<Route, 'errors'>>(
  endpoints: Readonly<Record<string, E>>,
  placeOf: (endpoint: E) => Pick<Operation, 'tags' | 'security' | 'servers'>,
): Paths {
  const paths: Record<string, Paths[string]> = {};
  for (const [operationId, route] of Object.entries(endpoints)) {
    const operation = { ...placeOf(route), ...operationOf(operationId, route) };
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return paths;
}

function operationOf(
  operationId: string,
  route: Endpoint & Pick<Route, 'errors'>,
): Omit<Operation, 'tags' | 'security' | 'servers'> {
  const { summary, description, parameters, query, body } = route;
  const all = [
    ...(parameters === undefined ? [] : parametersIn('path', parameters.schema)),
    ...(query === undefined ? [] : parametersIn('query', query.schema)),
  ];
  return {
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    operationId,
    summary,
    description,
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: responsesOf(route),
  };
}

function bodyOf({ schema, example, optional }: Endpoint['body'] & object) {
  return { required: optional !== true, content: { 'application/json': { schema: schemaOrRef(schema), example } } };
}

function responsesOf({ responses, errors }: Endpoint & Pick<Route, 'errors'>): Operation['responses'] {
  const [common, shape] =
    errors === 'envelope' ? (['Refused', 'ExtractionFailure'] as const) : (['Failed', 'Failure'] as const);
  const own = Object.entries<RouteResponse>(responses).map(([status, response]) => [
    status,
    { ...responseOf(Number(status), response, shape), ...headersOf(status) },
  ]);
  return { ...refusalRefs(common, commonRefusals), ...Object.fromEntries(own) };
}

function responseOf(status: number, response: RouteResponse, shape: FailureName): Response {
  const { description, headers, mediaType = 'application/json', schema, examples, codes } = response;
  if (codes !== undefined) return errorResponse(shape, status, { description, codes });
  return {
    description,
    ...(schema === undefined
      ? {}
      : { content: { [mediaType]: { schema: schemaOrRef(schema), ...(examples === undefined ? {} : { examples }) } } }),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** Returns the servers of an operation, unless they are the document's. */
function serversOf({ address }: Route, { api, render }: Addresses): Pick<Operation, 'servers'> {
  const urls = { base: undefined, api, render, socket: webSocketAddress(render) };
  const url = urls[address];
  return url === undefined ? {} : { servers: [{ url }] };
}
