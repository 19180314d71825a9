import { type ErrorCode, MillraceError } from '../../../contract/errors.ts';
import { plainText } from '../../../parsing/plain-text.ts';
import { count, type Fields, fields, isFields, text } from '../../../parsing/values.ts';

const MAX_REASON = 500;

/** The site's refusal of a video: its own code, which decides the next request, and the error for the caller. */
export interface Refusal {
  /** `DM007` and its like, else the error's type (`password_protected`). */
  readonly code: string;
  readonly error: MillraceError;
}

/** Codes of the site that the flow acts upon. */
export const refusals = { geoRestricted: 'DM007', otherDevice: 'DM014', siteOnly: 'DM016' } as const;

interface Verdict {
  readonly code: ErrorCode;
  readonly message: string;
  /** Whether it passes with time alone. */
  readonly passing?: boolean;
}

/** What the codes and types mean (the site's API manual, "video access errors"); their texts follow the visitor's language. */
const verdicts: Readonly<Record<string, Verdict>> = {
  not_found: { code: 'not_found', message: 'There is no video with this id.' },
  DM001: { code: 'not_found', message: 'There is no video with this id.' },
  DM002: { code: 'not_found', message: 'The video was deleted.' },
  DM003: { code: 'unavailable', message: 'The live stream is not on air.', passing: true },
  DM004: { code: 'unavailable', message: 'The video was taken down for copyright.' },
  DM005: { code: 'unavailable', message: 'The video was rejected by the site.' },
  DM006: { code: 'unavailable', message: 'The video is still being published. Try again later.', passing: true },
  DM007: { code: 'unavailable', message: 'The video is not shown in the country that was asked from.' },
  DM008: { code: 'age_restricted', message: 'The video is for adults only.' },
  DM009: { code: 'age_restricted', message: 'The video is for adults only.' },
  DM010: { code: 'unavailable', message: 'The video is private.' },
  DM011: { code: 'unavailable', message: 'The video could not be encoded by the site.' },
  DM012: { code: 'unavailable', message: 'The video is still being encoded. Try again later.', passing: true },
  DM013: { code: 'unavailable', message: 'The video has no stream.' },
  DM014: { code: 'unavailable', message: 'The video is not shown on this kind of device.' },
  DM015: { code: 'unavailable', message: "The video is shown on the site's pages for children only." },
  DM016: { code: 'unavailable', message: "The video is shown on the site's own pages only." },
  DM019: { code: 'unavailable', message: 'The channel of the video is inactive.' },
  password_protected: { code: 'unavailable', message: 'The video is behind a password.' },
};

/**
 * Reads the `error` member of a response. Types win over codes, which are bare HTTP numbers where there is a type;
 * names in no table are judged by the status that the error carries.
 *
 * @param status The response's own status, for an error that carries none.
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

/** Reads the `error` member of a JSON response, if it has one with something in it. */
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
  if (status === 404 || status === 410) return { code: 'not_found', message: 'There is no video with this id.' };
  if (status === 401) return { code: 'signin_required', message: 'The site shows this video to signed-in users only.' };
  if (status === 429 || status >= 500) {
    return { code: 'non_2xx_response', message: `The site answered with ${description}. Try again in a moment.` };
  }
  return { code: 'unavailable', message: `The site refuses this video with ${description}.` };
}
