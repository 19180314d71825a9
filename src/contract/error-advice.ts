import type { ErrorCode } from './errors.ts';

/** What a code means, and what a caller does about it. */
interface ErrorAdvice {
  readonly meaning: string;
  readonly action: string;
}

const retry = 'Try again after a short delay.';
const skip = 'It is not supported; go on without it.';
const restart = 'Start the same job again.';

/** Advice on every code. The documents take their words from here. */
export const errorAdvice: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  params_not_found: { meaning: 'A required parameter is missing.', action: 'Send it.' },
  invalid_params: {
    meaning: 'A value is malformed or not one of those that are possible.',
    action: 'Correct the parameter that `error.parameter` names.',
  },
  invalid_url: { meaning: 'What was sent is no valid link.', action: 'Send a full https link.' },
  invalid_platform_url: { meaning: 'The link leads to another platform.', action: 'Send a link of this platform.' },
  invalid_token: {
    meaning: 'The page token was altered, is of another request, or is older than 15 minutes.',
    action: 'Start again without `nextToken`.',
  },
  invalid_user_details: {
    meaning: 'The key or the host is missing or wrong, or the subscription has ended.',
    action: 'Check both `X-Marketplace-…` headers.',
  },
  not_found: { meaning: 'It does not exist, or was removed.', action: 'Check the id or the link.' },
  unavailable: {
    meaning: 'It exists and cannot be had: private, region-locked, members only, paid.',
    action: 'Try another `countryCode`, or go on without it.',
  },
  signin_required: { meaning: 'The platform asks for a signed-in user.', action: skip },
  age_restricted: { meaning: 'The platform asks for the age of its users.', action: skip },
  token_expired: { meaning: 'A signed link has expired.', action: 'Ask for fresh data.' },
  non_2xx_response: { meaning: 'The platform answered with an error of its own.', action: retry },
  connection_error: { meaning: 'The platform could not be reached.', action: retry },
  unexpected_redirect: { meaning: 'The platform sent the request elsewhere.', action: retry },
  invalid_response_data: { meaning: 'The answer of the platform could not be understood.', action: retry },
  operation_timeout: { meaning: 'The platform took too long.', action: retry },
  unsupported_proxy_for_geo_targeting: {
    meaning: 'This `countryCode` cannot be used for this request.',
    action: 'Try another country, or omit it.',
  },
  unexpected_error: { meaning: 'A fault of the service.', action: 'Try again with growing delays.' },
  other: {
    meaning: 'A fault of the service that has no code of its own, or a job that failed under a version without codes.',
    action: 'Try again with growing delays.',
  },
  unauthorized: { meaning: 'The render key is missing or wrong.', action: 'Check the `Authorization` header.' },
  forbidden: { meaning: 'The job of this id belongs to somebody else.', action: 'Use another id.' },
  method_not_allowed: {
    meaning: 'The path is there, but not with this method.',
    action: 'Use a method that the `Allow` header lists.',
  },
  expired: { meaning: 'The file has expired and was deleted.', action: 'Render it again.' },
  body_too_large: { meaning: 'The body is too large.', action: 'Send a smaller one.' },
  invalid_body: {
    meaning: 'The body is no JSON, or no valid job description.',
    action: 'Correct the members that `error.fields` lists.',
  },
  rate_limited: {
    meaning: 'More requests a second, or more at once, than there may be.',
    action: 'Wait as long as the `Retry-After` header says.',
  },
  quota_exceeded: {
    meaning: 'The request can cost more credits than are left this month.',
    action: 'Make a cheaper request, wait for the next month, or take a larger plan.',
  },
  service_unavailable: { meaning: 'The service is out of order for now.', action: 'Try again with growing delays.' },
  file_lost: {
    meaning: 'The stored file of a job is missing or damaged. The job has failed with this code.',
    action: `${restart} Its new file has another link.`,
  },
  address_refused: {
    meaning: 'The link leads to an address that is not public, or to a host name over 253 characters.',
    action: 'Send a public link.',
  },
  source_refused: {
    meaning:
      'The source refuses the link: it has expired (403, 404, 410), or a web page or an error message came in place of media.',
    action: 'Obtain fresh source links or a new execution URL, and start again.',
  },
  source_unreachable: { meaning: 'The source answered that it cannot now (408, 425, 429, 5xx).', action: restart },
  source_unsupported: {
    meaning:
      'No file can be made of it: a live stream that has not ended, DRM, a playlist that cannot be read, an unknown coding.',
    action: 'Use another source or format. If it is a live stream, start the job again when the stream has ended.',
  },
  input_too_large: {
    meaning: 'An input, or all of them together, are larger than the job or the plan allows.',
    action: 'Use a smaller quality, or raise `limits.inputSize`.',
  },
  download_timeout: {
    meaning: 'An input took longer than its `timeout`.',
    action: `${restart} Where it is large or slow, raise \`timeout\`.`,
  },
  download_incomplete: { meaning: 'The source broke off before all of an input had come.', action: restart },
  incompatible_codecs: {
    meaning: 'Streams cannot be copied into the container, or an HLS input changes its streams or their format midway.',
    action: 'Choose another `output.ext`, or set `copyStreams` to false.',
  },
  input_unreadable: {
    meaning:
      'An input is not media, is empty, is too damaged to be decoded, or lacks a stream that the operation needs.',
    action: 'Check what the link leads to. If the input is damaged, set `copyStreams` to true to keep what is there.',
  },
  input_incomplete: {
    meaning: 'An input ends before its own header says so, or a segment holds other media than its playlist declares.',
    action: restart,
  },
  processing_failed: {
    meaning: 'The media engine could not go on.',
    action: `${restart} If it fails each time, choose another format.`,
  },
  processing_timeout: {
    meaning: 'Processing took longer than it may.',
    action: 'Copy the streams instead of encoding them, or choose a smaller quality.',
  },
  result_unproven: {
    meaning: 'The finished file differs from what was written, or from its inputs, so it is not delivered.',
    action: restart,
  },
  storage_failed: {
    meaning:
      'The finished file could not be stored before the job was about to expire, or the job needs more disk space than a ' +
      'worker has.',
    action: 'Start the same job again later.',
  },
  at_capacity: {
    meaning: 'More jobs wait already than may.',
    action: 'Wait a few seconds and start the same job again.',
  },
  cancelled: {
    meaning: 'The owner of the job cancelled it.',
    action: 'Nothing; start it again if it is wanted after all.',
  },
  worker_lost: {
    meaning: 'Five nodes died while they ran the job, the last three of them while they ran nothing else.',
    action: `${restart} If it fails the same way again, report it to the operator of the service.`,
  },
};
