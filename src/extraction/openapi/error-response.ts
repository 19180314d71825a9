import type { ErrorCode } from '../../contract/errors.ts';
import { jsonOf } from './document.ts';
import { schemaRef } from './schemas.ts';

/** A response whose `error` has one of these codes: in the envelope, or by itself, as the render API tells errors. */
export function errorResponse(
  schema: 'ExtractionResult' | 'Failure',
  description: string,
  codes: readonly ErrorCode[],
) {
  const error = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
  return { description, content: jsonOf({ allOf: [schemaRef(schema), { type: 'object', properties: { error } }] }) };
}
