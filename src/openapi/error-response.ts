import type { ErrorCode } from '../contract/errors.ts';
import { jsonOf } from './document.ts';
import { type SchemaJson, schemaRef } from './schemas.ts';

/** What an error in the envelope leaves empty. */
const nothing: Record<'ExtractionResult' | 'Failure', SchemaJson> = {
  ExtractionResult: { contents: { type: 'array', maxItems: 0 }, metadata: { type: 'object', maxProperties: 0 } },
  Failure: {},
};

/** A response whose `error` has one of these codes: in the envelope, or by itself, as the render API tells errors. */
export function errorResponse(
  schema: 'ExtractionResult' | 'Failure',
  description: string,
  codes: readonly ErrorCode[],
) {
  const error = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  const refused = { type: 'object', properties: { error, ...nothing[schema] } };
  return { description, content: jsonOf({ allOf: [schemaRef(schema), refused] }) };
}

/** A way in which a request is refused. */
export interface Refusal {
  readonly description: string;
  readonly codes: readonly ErrorCode[];
}

/** What any request may be answered with before it reaches its route, or instead of it, by HTTP status. */
export const commonRefusals = {
  400: { description: 'The request is not valid HTTP, or its path is badly encoded.', codes: ['invalid_params'] },
  414: { description: 'The URL is too long.', codes: ['invalid_params'] },
  431: { description: 'The headers are too long.', codes: ['invalid_params'] },
  500: { description: 'A fault of the service. Try again with backoff.', codes: ['unexpected_error', 'other'] },
  503: { description: 'The service is out of order for now. Try again.', codes: ['service_unavailable'] },
} as const satisfies Record<number, Refusal>;

/** Refusals as `components.responses`, named by a word and their status. */
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

/** References to {@link refusalComponents}, by status. */
export function refusalRefs(name: string, refusals: Readonly<Record<number, Refusal>>) {
  return Object.fromEntries(
    Object.keys(refusals).map((status) => [status, { $ref: `#/components/responses/${name}${status}` }]),
  );
}
