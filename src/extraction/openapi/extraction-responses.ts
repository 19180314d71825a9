import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { jsonOf } from './document.ts';
import { errorResponse } from './error-response.ts';
import { schemaRef } from './schemas.ts';

/** Codes with which requests are refused before the platform is asked, by HTTP status. */
const refusals = {
  400: {
    description: 'A query parameter is missing or wrong; `error.parameter` names it.',
    codes: ['params_not_found', 'invalid_params', 'invalid_url', 'invalid_platform_url', 'invalid_token'],
  },
  401: { description: 'The key is missing or not known.', codes: ['invalid_user_details'] },
  403: { description: 'The subscription has ended, or the host is wrong.', codes: ['invalid_user_details'] },
  429: { description: 'Too many requests, or the quota is used up.', codes: ['rate_limited', 'quota_exceeded'] },
  500: { description: 'A fault of the service. Try again with backoff.', codes: ['unexpected_error', 'other'] },
  503: { description: 'The service is out of order for now. Try again.', codes: ['service_unavailable'] },
} as const satisfies Record<number, { description: string; codes: readonly ErrorCode[] }>;

const sourceCodes = Object.entries(errorCatalogue)
  .filter(([, { origin }]) => origin === 'source')
  .map(([code]) => `\`${code}\``);

/** `components.responses` of the extraction API. */
export const extractionResponses = {
  Extracted: {
    description:
      'The answer. What the platform refuses or does not have is told in `error` with this status, too, as ' +
      `${sourceCodes.join(', ')}.`,
    content: jsonOf(schemaRef('ExtractionResult')),
  },
  ...Object.fromEntries(
    Object.entries(refusals).map(([status, { description, codes }]) => [
      `Refused${status}`,
      errorResponse('ExtractionResult', description, codes),
    ]),
  ),
};

/** The responses of every data endpoint. */
export const extractionResponseRefs = {
  200: { $ref: '#/components/responses/Extracted' },
  ...Object.fromEntries(
    Object.keys(refusals).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
  ),
};
