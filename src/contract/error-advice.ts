import type { ErrorCode } from './errors.ts';

/** What an error code means and what the caller should do about it. */
interface ErrorAdvice {
  readonly meaning: string;
  readonly action: string;
}

const retry = 'Try again after a short delay.';
const skip = 'This is not supported; skip the item.';
const restart = 'Start the same job again.';

/** Advice for every error code. The documentation is generated from it. */
export const errorAdvice: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  params_not_found: { meaning: 'A required parameter is missing.', action: 'Add it to the request.' },
  invalid_params: {
    meaning: 'A parameter is malformed or has a value that is not allowed.',
    action: 'Correct the parameter that `error.parameter` names.',
  },
  invalid_url: { meaning: 'The value is not a valid link.', action: 'Send a complete https link.' },
  invalid_platform_url: { meaning: 'The link belongs to another platform.', action: 'Send a link of this platform.' },
  invalid_token: {
    meaning: 'The page token was altered, belongs to another request, or is older than 15 minutes.',
    action: 'Start again from the first page, without `nextToken`.',
  },
  invalid_user_details: {
    meaning: 'The key or the host is missing or wrong, or the subscription has ended.',
    action: 'Check both `X-Marketplace-…` headers.',
  },
  not_found: { meaning: 'The requested item does not exist or was removed.', action: 'Check the ID or the link.' },
  unavailable: {
    meaning: 'The content exists but is not accessible: it is private, region-locked, members-only or paid.',
    action: 'Try another `countryCode`, or skip the item.',
  },
  signin_required: { meaning: 'The platform requires a signed-in user.', action: skip },
  age_restricted: { meaning: 'The platform requires its users to prove their age.', action: skip },
  token_expired: { meaning: 'A signed link has expired.', action: 'Request fresh data.' },
  non_2xx_response: { meaning: 'The platform responded with an error.', action: retry },
  connection_error: { meaning: 'The platform could not be reached.', action: retry },
  unexpected_redirect: { meaning: 'The platform redirected the request to an unexpected address.', action: retry },
  invalid_response_data: { meaning: "The platform's response could not be understood.", action: retry },
  operation_timeout: { meaning: 'The platform took too long to respond.', action: retry },
  unsupported_proxy_for_geo_targeting: {
    meaning: 'This `countryCode` cannot be used for this request.',
    action: 'Try another country, or omit `countryCode`.',
  },
  unexpected_error: { meaning: 'An internal error occurred.', action: 'Retry with exponential backoff.' },
  other: {
    meaning:
      'An internal error without a specific code, or a job that failed in a version of Millrace without error codes.',
    action: 'Retry with exponential backoff.',
  },
  unauthorized: { meaning: 'The render key is missing or wrong.', action: 'Check the `Authorization` header.' },
  forbidden: {
    meaning: 'The job with this ID belongs to another account, or a page of another site sent the request to `/mcp`.',
    action: 'Use another ID. For `/mcp`, use an MCP client that is not a web page.',
  },
  method_not_allowed: {
    meaning: 'The path exists but does not support this method.',
    action: 'Use a method that the `Allow` header lists.',
  },
  conflict: {
    meaning: 'The present state of the job, the delivery, the account or the block list does not allow the request.',
    action: 'Do what the message says.',
  },
  expired: { meaning: 'The file has expired or was deleted.', action: 'Render it again.' },
  blocked: {
    meaning:
      'The operator of the service has blocked the item, its channel, or the host of a link. The message states the reason.',
    action: 'Do not retry. If you think that this is an error, contact the operator.',
  },
  body_too_large: {
    meaning: 'The request body is too large.',
    action: 'Shorten it. In a job, remove chapters, or replace the `content` of subtitles by a `url`.',
  },
  invalid_body: {
    meaning: 'The body is not JSON, or not a valid job description.',
    action: 'Correct the members that `error.fields` lists.',
  },
  rate_limited: {
    meaning: 'Too many requests per second, too many concurrent ones, or too large finished files in total.',
    action: 'Wait for the time that the `Retry-After` header states.',
  },
  quota_exceeded: {
    meaning: 'The request can cost more credits than are left this month.',
    action: 'Make a cheaper request, wait for the next month, or upgrade your plan.',
  },
  service_unavailable: {
    meaning: 'The service is temporarily unavailable.',
    action: 'Retry with exponential backoff.',
  },
  file_lost: {
    meaning: 'The stored file of a job is missing or damaged. The job has failed with this code.',
    action: `${restart} The new file has a different link.`,
  },
  address_refused: {
    meaning: 'The link points to an address that is not public, or its host name is longer than 253 characters.',
    action: 'Send a link to a public address.',
  },
  source_refused: {
    meaning:
      'The source rejected the link because it has expired (403, 404, 410), or it sent a web page or an error message instead of media.',
    action: 'Obtain fresh source links or a new execution URL, and start the job again.',
  },
  source_unreachable: { meaning: 'The source is temporarily unavailable (408, 425, 429, 5xx).', action: restart },
  source_unsupported: {
    meaning:
      'The source cannot be turned into a file: it is a live stream that has not ended, is protected by DRM, or has an unreadable playlist or an unknown content encoding.',
    action: 'Use another source or format. For a live stream, start the job again after the stream has ended.',
  },
  input_too_large: {
    meaning: 'One input, or all inputs together, exceeds the size limit of the job or the plan.',
    action: 'Choose a lower quality, or raise `limits.inputSize`.',
  },
  download_timeout: {
    meaning: 'An input took longer to download than its `timeout` allows.',
    action: `${restart} If the input is large or slow, raise \`timeout\`.`,
  },
  download_incomplete: {
    meaning:
      'The source closed the connection before an input was complete, or bytes of it were not stored as they arrived.',
    action: restart,
  },
  incompatible_codecs: {
    meaning: 'Streams cannot be copied into the container, or an HLS input changes its streams or their format midway.',
    action: 'Choose another `output.ext`, or set `copyStreams` to false.',
  },
  clip_out_of_range: {
    meaning: 'The media ends before the clip starts. The message states the duration of the media.',
    action: 'Choose a clip within the duration of the media.',
  },
  size_unreachable: {
    meaning:
      'The result cannot be encoded within `output.maxSize`, or not in time. The message states what is possible.',
    action: 'Raise `output.maxSize`, choose a shorter clip, or use a lower `operation.video.maxHeight`.',
  },
  input_unreadable: {
    meaning: 'An input is not media, is empty, is too damaged to decode, or lacks a stream that the operation needs.',
    action:
      'Check what the link returns. If the input is damaged, the message states whether the job may succeed with another `copyStreams`.',
  },
  input_incomplete: {
    meaning:
      'An input is shorter than its header states, or a segment contains media other than what its playlist declares.',
    action: `${restart} If the job is not retryable, its file is incomplete at the source: use another source or quality.`,
  },
  processing_failed: {
    meaning: 'The media engine failed.',
    action: `${restart} If it fails every time, choose another format.`,
  },
  processing_timeout: {
    meaning: 'Processing exceeded its time limit.',
    action: 'Copy the streams instead of encoding them, or choose a lower quality.',
  },
  result_unproven: {
    meaning: 'The finished file differs from what was written, or from its inputs, so it is not delivered.',
    action: restart,
  },
  storage_failed: {
    meaning:
      'The finished file could not be stored before the job was about to expire, the job needs more disk space than a ' +
      'worker has, or your finished files leave no space for another one.',
    action: 'Start the same job again later. If your files leave no space, delete jobs that are done.',
  },
  delivery_refused: {
    meaning: 'Your store refused the file (`output.putUrl`), usually because the presigned URL has expired.',
    action: 'Presign a new URL with the same headers, and start the job again with it.',
  },
  delivery_failed: {
    meaning: 'The file could not be uploaded to your store (`output.putUrl`) before the job was about to expire.',
    action: 'Check that the store is available. Then start the job again, with a new URL if the old one has expired.',
  },
  at_capacity: {
    meaning: 'The job queue is full.',
    action: 'Wait a few seconds and start the same job again.',
  },
  cancelled: {
    meaning: 'The owner of the job cancelled it, or the operator of the service, whose reason the message states.',
    action: 'No action is needed. To run the job after all, start it again.',
  },
  worker_lost: {
    meaning: 'Five nodes died while running the job, the last three of them while running nothing else.',
    action: `${restart} If it fails the same way again, report it to the operator of the service.`,
  },
};
