import { refusal } from './route.ts';

/** The refusal of a caller who sends requests without pause. */
export const tooManyRequests = refusal('Too many requests.', 'rate_limited');

/** Refusals of a caller who sends either kind of key. */
export const keyRefusals = {
  401: refusal(
    'The key is missing or wrong. Requests of the page have no key.',
    'unauthorized',
    'invalid_user_details',
  ),
  403: refusal('The API host is wrong, or the subscription has ended.', 'invalid_user_details'),
  429: tooManyRequests,
} as const;

/** Refusals of a request about one job of such a caller. */
export const ownerRefusals = {
  401: keyRefusals[401],
  403: refusal('The job belongs to another account, or the key has no access.', 'forbidden', 'invalid_user_details'),
  404: refusal('No job has this ID: it never existed, or it has expired.', 'not_found'),
  429: tooManyRequests,
} as const;

/** Refusals of a request that can have a body. */
export const bodyRefusals = {
  400: refusal('The request is not valid.', 'invalid_params', 'invalid_body'),
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
} as const;
