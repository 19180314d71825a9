import { type ErrorCode, MillraceError } from '../../../contract/errors.ts';
import { plainText } from '../../../parsing/plain-text.ts';
import { count, type Fields, fields, isFields, text } from '../../../parsing/values.ts';

const MAX_REASON = 500;

/** The site's refusal of a video: the site's code, which determines the next request, and the error for the caller. */
export interface Refusal {
  /** A `DM…` code such as `DM007`, or else the error's type (`password_protected`). */
  readonly code: string;
  readonly error: MillraceError;
}

/** Site codes that trigger a further request. */
export const refusals = { geoRestricted: 'DM007', otherDevice: 'DM014', siteOnly: 'DM016' } as const;

interface Verdict {
  readonly code: ErrorCode;
  readonly message: string;
  /** Whether the refusal is temporary, so that a retry may succeed. */
  readonly passing?: boolean;
}

/**
 * Meanings of the codes and types (the site's API manual, "video access errors"). The site's texts for them are in the
 * visitor's language.
 */
const verdicts: Readonly<Record<string, Verdict>> = {
  not_found: { code: 'not_found', message: 'No video has this ID.' },
  DM001: { code: 'not_found', message: 'No video has this ID.' },
  DM002: { code: 'not_found', message: 'The video was deleted.' },
  DM003: { code: 'unavailable', message: 'The live stream is not on air.', passing: true },
  DM004: { code: 'unavailable', message: 'The video was removed for copyright reasons.' },
  DM005: { code: 'unavailable', message: 'The site rejected the video.' },
  DM006: { code: 'unavailable', message: 'The video is still being published. Try again later.', passing: true },
  DM007: { code: 'unavailable', message: 'The video is not available in the country of this request.' },
  DM008: { code: 'age_restricted', message: 'The video is for adults only.' },
  DM009: { code: 'age_restricted', message: 'The video is for adults only.' },
  DM010: { code: 'unavailable', message: 'The video is private.' },
  DM011: { code: 'unavailable', message: 'The site could not encode the video.' },
  DM012: { code: 'unavailable', message: 'The video is still being encoded. Try again later.', passing: true },
  DM013: { code: 'unavailable', message: 'The video has no streams.' },
  DM014: { code: 'unavailable', message: 'The video is not available on this type of device.' },
  DM015: { code: 'unavailable', message: "The video is only available on the site's pages for children." },
  DM016: { code: 'unavailable', message: "The video is only available on the site's own pages." },
  DM019: { code: 'unavailable', message: "The video's channel is inactive." },
  password_protected: { code: 'unavailable', message: 'The video is password-protected.' },
};

/**
 * Reads the `error` member of a response. A type takes precedence over a code, which is a bare HTTP status if a type is
 * present. Unknown codes and types are classified by the error's own status.
 *
 * @param status The response status, used if the error has none.
 */
export function parseRefusal(error: Fields, status: number): Refusal {
  const type = text(error.type);
  const code = text(error.code) ?? '';
  const verdictName = [type ?? '', code].find((name) => Object.hasOwn(verdicts, name));
  const name = verdictName ?? type ?? code;
  const verdict =
    (verdictName === undefined ? undefined : verdicts[verdictName]) ?? byStatus(statusOf(error, status), name);
  const words = text(error.title) ?? text(error.raw_message) ?? text(error.message);
  const reason = words === undefined ? '' : plainText(words, MAX_REASON);
  return {
    code: name,
    error: new MillraceError(verdict.code, verdict.message, {
      ...(reason === '' ? {} : { reason }),
      ...(verdict.passing === undefined ? {} : { retryable: verdict.passing }),
    }),
  };
}

/** Reads the `error` member of a JSON response. Returns undefined if it is absent or empty. */
export function findRefusal(body: unknown, status: number): Refusal | undefined {
  const { error } = fields(body);
  return isFields(error) && Object.keys(error).length > 0 ? parseRefusal(error, status) : undefined;
}

function statusOf(error: Fields, status: number): number {
  const statuses = [error.status_code, error.code].map(count);
  return statuses.find((number) => number !== undefined && number >= 400 && number <= 599) ?? status;
}

function byStatus(status: number, name: string): Verdict {
  const description = name === '' ? `status ${status}` : `error ${plainText(name, 40)}`;
  if (status === 404 || status === 410) return { code: 'not_found', message: 'No video has this ID.' };
  if (status === 401) return { code: 'signin_required', message: 'The site requires a signed-in user for this video.' };
  if (status === 429 || status >= 500) {
    return { code: 'non_2xx_response', message: `The site returned ${description}. Try again in a moment.` };
  }
  return { code: 'unavailable', message: `The site refused this video with ${description}.` };
}
