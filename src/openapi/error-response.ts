import type { ErrorCode } from '../contract/errors.ts';
import { jsonOf } from './document-types.ts';
import { errorExamplesOf, type FailureName } from './error-examples.ts';
import { type SchemaJson, schemaRef } from './schemas.ts';

/** Headers of refusals with a status, besides those of every response. */
const refusalHeaders: Readonly<Record<string, Record<string, SchemaJson>>> = {
  401: {
    'WWW-Authenticate': { description: 'The challenge of RFC 6750: Bearer.', schema: { type: 'string' } },
  },
};

/** Returns the additional headers of a response with a status; most have none. */
export function headersOf(status: number | string): { headers?: Record<string, SchemaJson> } {
  const headers = refusalHeaders[status];
  return headers === undefined ? {} : { headers };
}

/** Describes a response with a status, whose `error` has one of these codes. */
export function errorResponse(name: FailureName, status: number, { description, codes }: Refusal) {
  const error = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  const schema = { allOf: [schemaRef(name), { type: 'object', properties: { error } }] };
  return { description, content: jsonOf(schema, errorExamplesOf(name, status, codes)) };
}

/** A response to a refused request. */
export interface Refusal {
  readonly description: string;
  readonly codes: readonly ErrorCode[];
}

/** Refusals that any request can get, whichever route it is for, by HTTP status. */
export const commonRefusals = {
  400: { description: 'The request is not valid HTTP, or its path is incorrectly encoded.', codes: ['invalid_params'] },
  414: { description: 'The URL is too long.', codes: ['invalid_params'] },
  431: { description: 'The headers are too long.', codes: ['invalid_params'] },
  500: { description: 'An internal error occurred. Retry with backoff.', codes: ['unexpected_error', 'other'] },
  503: { description: 'The service is temporarily unavailable. Try again.', codes: ['service_unavailable'] },
} as const satisfies Record<number, Refusal>;

/** Creates `components.responses` of refusals. Their names are a word followed by the status. */
export function refusalComponents(name: string, schema: FailureName, refusals: Readonly<Record<number, Refusal>>) {
  return Object.fromEntries(
    Object.entries(refusals).map(([status, response]) => [
      name + status,
      { ...errorResponse(schema, Number(status), response), ...headersOf(status) },
    ]),
  );
}

/** Creates references to {@link refusalComponents}, by status. */
export function refusalRefs(name: string, refusals: Readonly<Record<number, Refusal>>) {
  return Object.fromEntries(
    Object.keys(refusals).map((status) => [status, { $ref: `#/components/responses/${name}${status}` }]),
  );
}
