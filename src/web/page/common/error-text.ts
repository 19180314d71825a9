import { MillraceApiError, MillraceNetworkError } from '#client/index.ts';

/** The description of an error for people. */
interface ErrorText {
  readonly title: string;
  /** What happened, in one or two sentences. */
  readonly text: string;
  /** What to do, in one or two sentences. */
  readonly advice?: string;
  /** The platform's own message. */
  readonly reason?: string;
  /** Whether the same request can be sent again. */
  readonly retryable: boolean;
  /** Seconds to wait before sending it again, if the service reports them. */
  readonly retryAfter?: number;
}

/** Headings and advice by error code. */
const textByCode: Readonly<Record<string, readonly [title: string, advice?: string]>> = {
  not_found: ['Not found', 'Check the link. The content may have been removed, or the link may contain a typo.'],
  unavailable: ['Not available', 'It may be private, or blocked in the country that the service requests it from.'],
  blocked: ['Blocked by the operator', 'If you think that this is a mistake, contact the operator of this page.'],
  signin_required: ['Sign-in required', 'Millrace cannot access content that requires an account.'],
  age_restricted: ['Age-restricted', 'Millrace cannot access age-restricted content.'],
  rate_limited: ['Too many requests'],
  quota_exceeded: [
    'Not enough credits',
    'The page does not have enough credits left for this. Come back later, or contact its operator.',
  ],
  token_expired: ['This link has expired', 'Load the page again to get a new one.'],
  expired: ['This link has expired', 'Load the page again to get a new one.'],
  invalid_token: ['This list has expired', 'Load it again from the start.'],
  invalid_user_details: ['The page is turned off', 'Reload the page. If it stays off, contact its operator.'],
  operation_timeout: ['It took too long', 'The platform is slow at the moment. Try again.'],
  non_2xx_response: ['The platform refused the request', 'This often passes within minutes. Try again later.'],
  service_unavailable: ['Service unavailable', 'The service is busy or starting. Try again in a few seconds.'],
};

/** Describes an error to the person who sees it. */
export function describeError(error: unknown, online = navigator.onLine): ErrorText {
  if (error instanceof MillraceApiError) {
    const { code, message, reason, retryable, retryAfter } = error;
    const [title, advice] = textByCode[code] ?? [
      code.startsWith('invalid_') ? 'Invalid request' : 'Something went wrong',
    ];
    return {
      title,
      text: message,
      retryable,
      ...(advice === undefined ? {} : { advice }),
      ...(reason === undefined || message.includes(reason) ? {} : { reason }),
      ...(retryAfter === undefined ? {} : { retryAfter: Math.ceil(retryAfter) }),
    };
  }
  if (!online) {
    const text = 'Your device has no connection. Renders in progress continue without it.';
    return { title: 'You are offline', text, advice: 'Try again when you are back online.', retryable: true };
  }
  if (error instanceof MillraceNetworkError) {
    const text = 'Millrace is not responding. It may be restarting, or the connection to it may be down.';
    return { title: 'No response', text, advice: 'Try again in a few seconds.', retryable: true };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { title: 'Something went wrong', text, retryable: true };
}
