import type { ErrorCode } from '../contract/errors.ts';
import { jsonOf } from './document-types.ts';
import { type SchemaJson, schemaRef } from './schemas.ts';

/** Members that are empty in a response with an error. */
const emptyMembers: Record<'ExtractionResult' | 'Failure', SchemaJson> = {
  ExtractionResult: { contents: { type: 'array', maxItems: 0 }, metadata: { type: 'object', maxProperties: 0 } },
  Failure: {},
};

/** Describes a response whose `error` has one of these codes: in the envelope, or on its own as in the render API. */
export function errorResponse(
  schema: 'ExtractionResult' | 'Failure',
  description: string,
  codes: readonly ErrorCode[],
) {
  const error = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  const refusal = { type: 'object', properties: { error, ...emptyMembers[schema] } };
  return { description, content: jsonOf({ allOf: [schemaRef(schema), refusal] }) };
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
export function refusalComponents(
  name: string,
  schema: 'ExtractionResult' | 'Failure',
  refusals: Readonly<Record<number, Refusal>>,
) {
  return Object.fromEntries(
    Object.entries(refusals).map(([status, { description, codes }]) => [
      name + status,
      errorResponse(schema, description, codes),
    ]),
  );
}

/** Creates references to {@link refusalComponents}, by status. */
export function refusalRefs(name: string, refusals: Readonly<Record<number, Refusal>>) {
  return Object.fromEntries(
    Object.keys(refusals).map((status) => [status, { $ref: `#/components/responses/${name}${status}` }]),
  );
}
