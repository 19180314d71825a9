import { errorBody, failureBody } from '../contract/envelope.ts';
import { type ErrorCode, MillraceError, toMillraceError } from '../contract/errors.ts';
import { exampleRequestId, refusedJob } from '../contract/render-api/examples.ts';
import type { Example, Examples } from './document-types.ts';

/** The schema of a body with an error: in the envelope, or on its own as in the render API. */
export type FailureName = 'ExtractionFailure' | 'Failure';

/** Typical errors of responses: at least one for each status. */
const errors: readonly MillraceError[] = [
  new MillraceError('params_not_found', 'The parameter videoId is missing.', { parameter: 'videoId' }),
  new MillraceError('invalid_params', 'limit must be a whole number from 1 to 100.', { parameter: 'limit' }),
  new MillraceError('invalid_url', 'The link in url does not lead to a post.', { parameter: 'url' }),
  new MillraceError('invalid_platform_url', 'The link in url leads to another platform. Send a link to TikTok.', {
    parameter: 'url',
  }),
  new MillraceError('invalid_token', 'The nextToken is older than 15 minutes. Start again without it.', {
    parameter: 'nextToken',
  }),
  new MillraceError('unsupported_proxy_for_geo_targeting', 'No exit is configured in FR. Request a new link.'),
  refusedJob,
  new MillraceError('invalid_user_details', 'The key in X-Marketplace-Key is unknown. Check it for typing errors.'),
  new MillraceError('unauthorized', 'The render API key is missing or not valid.'),
  new MillraceError('invalid_user_details', 'The subscription of this key has ended. Renew it, or use another key.', {
    status: 403,
  }),
  new MillraceError('forbidden', 'The job with this ID was started by someone else. Use another ID.'),
  new MillraceError('invalid_url', 'This link is not valid or was modified. Request a fresh one.', { status: 403 }),
  new MillraceError('unavailable', 'The source refused this link, which may have expired. Request a fresh link.'),
  new MillraceError('address_refused', 'The link leads to an address that is not public. Send a public link.'),
  new MillraceError('not_found', 'Nothing has this ID: it never existed, or has expired. Check the ID or the link.'),
  new MillraceError('conflict', 'The job is done. Only failed jobs can be retried.'),
  new MillraceError('token_expired', 'This link has expired. Request a fresh one.'),
  new MillraceError('expired', 'This file has expired or was deleted. Render it again.'),
  new MillraceError('file_lost', 'The stored file of this job is missing or damaged. Start the same job again.'),
  new MillraceError('body_too_large', 'The request body exceeds the limit of 1024 KiB. Shorten it.'),
  new MillraceError('invalid_params', 'The URL exceeds the maximum of 8192 characters.', { status: 414 }),
  new MillraceError('invalid_body', 'Send the body as JSON, with Content-Type: application/json.', { status: 415 }),
  new MillraceError('invalid_params', 'This URL is a WebSocket; open it with ws:// or wss://, or use the SSE URL.', {
    status: 426,
  }),
  new MillraceError('rate_limited', 'Your plan allows 10 requests per second. Wait a moment and try again.'),
  new MillraceError('quota_exceeded', "Of your plan's 500 credits this month, 1 is left, and this request can cost 2."),
  new MillraceError('invalid_params', 'The URL and the headers together are too long. Send fewer or shorter headers.', {
    status: 431,
  }),
  new MillraceError('blocked', 'The operator of this service has blocked this item: copyright complaint.'),
  toMillraceError(undefined),
  new MillraceError('non_2xx_response', 'The source returned 500. Try again.'),
  new MillraceError('service_unavailable', 'The service is temporarily unavailable. Try again shortly.'),
  new MillraceError('operation_timeout', 'The source took too long to respond. Try again.'),
];

const bodies = {
  ExtractionFailure: (error) => ({ error: errorBody(error, exampleRequestId), metadata: {} }),
  Failure: (error) => failureBody(error, exampleRequestId),
} satisfies Record<FailureName, (error: MillraceError) => object>;

/** `components.examples`: bodies with a typical error. */
export const errorExamples: Readonly<Record<string, Example>> = Object.fromEntries(
  (Object.keys(bodies) as FailureName[]).flatMap((name) =>
    errors.map((error) => [nameOf(name, error), { summary: error.code, value: bodies[name](error) }]),
  ),
);

/** Returns references to the examples of a response with a status and one of these codes. */
export function errorExamplesOf(name: FailureName, status: number, codes: readonly ErrorCode[]): Examples {
  const own = errors.filter((error) => error.status === status && codes.includes(error.code));
  return Object.fromEntries(own.map((error) => [error.code, { $ref: `#/components/examples/${nameOf(name, error)}` }]));
}

function nameOf(name: FailureName, { status, code }: MillraceError): string {
  return `${name}_${status}_${code}`;
}
