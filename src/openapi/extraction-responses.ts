import { type ErrorCode, errorCatalogue } from '../contract/errors.ts';
import type { Endpoint } from '../platforms/platform.ts';
import { type Examples, jsonOf } from './document-types.ts';
import { commonRefusals, type Refusal, refusalComponents, refusalRefs } from './error-response.ts';
import responseExamples from './response-examples.json' with { type: 'json' };
import { type SchemaJson, schemaRef } from './schemas.ts';

/** Refusals by the service itself, by HTTP status. */
const refusals = {
  ...commonRefusals,
  400: {
    description: 'A query parameter is missing or invalid; `error.parameter` names it.',
    codes: ['params_not_found', 'invalid_params', 'invalid_url', 'invalid_platform_url', 'invalid_token'],
  },
  401: { description: 'The key is missing or unknown.', codes: ['invalid_user_details'] },
  403: { description: 'The subscription has ended, or the host is wrong.', codes: ['invalid_user_details'] },
  429: {
    description: 'Too many requests, or the request can cost more credits than are left.',
    codes: ['rate_limited', 'quota_exceeded'],
  },
  451: { description: 'The operator of the service has blocked the item or its channel.', codes: ['blocked'] },
} as const satisfies Record<number, Refusal>;

/** Codes in responses with status 200: why the platform returned nothing. */
const sourceCodes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
  (code) => errorCatalogue[code].origin === 'source',
);

/** `components.responses` of the extraction API. */
export const extractionResponses = refusalComponents('Refused', 'ExtractionFailure', refusals);

const nonNegativeInteger = { type: 'integer', minimum: 0 };

/** The remaining credits of the plan (draft-ietf-httpapi-ratelimit-headers-05). */
const allowanceHeaders = {
  'RateLimit-Limit': { description: 'Credits per month.', schema: nonNegativeInteger },
  'RateLimit-Remaining': { description: 'Remaining credits.', schema: nonNegativeInteger },
  'RateLimit-Reset': { description: 'Seconds until the next month begins (UTC).', schema: nonNegativeInteger },
};

/** A recorded response of each data endpoint, by its path. `scripts/openapi-examples/main.ts` records them. */
const examples: Readonly<Record<string, object>> = responseExamples;

/**
 * The responses of a data endpoint.
 *
 * @param path The whole path of the endpoint.
 */
export function responsesOf(path: string, endpoint: Endpoint) {
  return {
    200: {
      description:
        'The result. If the platform refuses the request or does not have the content, the status is also 200 and `error` states the reason.',
      headers: allowanceHeaders,
      content: jsonOf(resultSchema(endpoint), examplesOf(path)),
    },
    ...refusalRefs('Refused', refusals),
  };
}

function examplesOf(path: string): Examples | undefined {
  const value = examples[path];
  return value === undefined ? undefined : { result: { summary: 'A result, shortened', value } };
}

/**
 * Returns the schema of an endpoint's responses: whether they have contents, and which metadata those without an error
 * have. Generators ignore the condition, so that all endpoints have one type in their clients.
 */
function resultSchema({ contents, returns = [], parameters }: Endpoint): SchemaJson {
  // Callers can leave out anything with `fields`.
  const hasContents = contents && !('fields' in parameters.properties);
  const members = {
    ...(hasContents ? { contents: {} } : {}),
    ...(returns.length === 0 ? {} : { metadata: withMembers(returns) }),
  };
  return {
    ...schemaRef(contents ? 'ExtractionResult' : 'MetadataResult'),
    if: { required: ['error'], properties: { error: { type: 'object' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { error: { properties: { code: { enum: sourceCodes } } } } },
    else: { required: Object.keys(members), properties: members },
  };
}

/** Returns the schema of an object with a member at each of these paths. */
function withMembers(paths: readonly string[]): SchemaJson {
  const below = Map.groupBy(paths, (path) => path.split('.', 1)[0] ?? '');
  const members = [...below].map(([name, ownPaths]) => {
    const rest = ownPaths.filter((path) => path !== name).map((path) => path.slice(name.length + 1));
    return [name, rest.length === 0 ? {} : withMembers(rest)] as const;
  });
  return { type: 'object', required: [...below.keys()], properties: Object.fromEntries(members) };
}
