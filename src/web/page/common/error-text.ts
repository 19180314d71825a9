import { MillraceApiError, MillraceNetworkError } from '#client/index.ts';

/** An error in words for people. */
interface ErrorText {
  readonly title: string;
  /** What happened, in a sentence or two. */
  readonly text: string;
  /** What to do, likewise. */
  readonly advice?: string;
  /** The platform's own words. */
  readonly reason?: string;
  /** Whether the same request can be sent again. */
  readonly retryable: boolean;
  /** Seconds to wait before that, if the service says so. */
  readonly retryAfter?: number;
}

/** Headings and advice by error code. */
const textByCode: Readonly<Record<string, readonly [title: string, advice?: string]>> = {
  not_found: ['Not found', 'Check the link: it may have been removed, or typed wrongly.'],
  unavailable: ['Not available', 'It may be private, or closed to the country that the service asks from.'],
  signin_required: ['Only for members', 'What needs an account is out of reach here.'],
  age_restricted: ['Age-restricted', 'What is behind an age gate is out of reach here.'],
  rate_limited: ['Too many questions'],
  quota_exceeded: [
    'Too few credits',
    'The page has too few credits left for this. Come back later, or tell its operator.',
  ],
  token_expired: ['This has expired', 'Ask for it again.'],
  expired: ['This has expired', 'Ask for it again.'],
  invalid_token: ['This list has expired', 'Begin it anew.'],
  invalid_user_details: ['The page is switched off', 'Load it anew; if it stays so, tell its operator.'],
  operation_timeout: ['It took too long', 'The platform is slow at the moment. Try again.'],
  non_2xx_response: ['The platform turned us away', 'That often passes within minutes.'],
  service_unavailable: ['One moment', 'The service is busy or starting. Try again in a few seconds.'],
};

/** Describes an error to the person who sees it. */
export function describeError(error: unknown, online = navigator.onLine): ErrorText {
  if (error instanceof MillraceApiError) {
    const { code, message, reason, retryable, retryAfter } = error;
    const [title, advice] = textByCode[code] ?? [
      code.startsWith('invalid_') ? 'That cannot be asked' : 'That did not work',
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
    const text = 'Your device has no connection. Renders that are under way go on without it.';
    return { title: 'You are offline', text, advice: 'Try again when you are back.', retryable: true };
  }
  if (error instanceof MillraceNetworkError) {
    const text = 'Millrace does not answer. It may be restarting, or the way to it may be cut.';
    return { title: 'No answer', text, advice: 'Try again in a few seconds.', retryable: true };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { title: 'That did not work', text, retryable: true };
}
