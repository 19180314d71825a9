import { MillraceError } from './errors.ts';

const MAX_LENGTH = 128;
const any = 'A-Za-z0-9._:-';
const notDot = 'A-Za-z0-9_:-';

/**
 * The pattern of job ids. It excludes `.` and `..`, because URL parsers resolve them, also written as `%2e`, before the
 * request is sent (https://url.spec.whatwg.org/#double-dot-path-segment). It has no
 * lookahead, which example generators do not support: an id begins with no dot, one dot, or two and more.
 */
export const jobIdPattern = `^(?:[${notDot}][${any}]{0,127}|\\.[${notDot}][${any}]{0,126}|\\.\\.[${any}]{1,126})$`;

/** The rule in words, for error messages. */
export const jobIdRule = `must be 1 to ${MAX_LENGTH} characters of A-Z, a-z, 0-9, ".", "_", ":" and "-", and not "." or ".."`;

const pattern = new RegExp(jobIdPattern);

/** Whether a text can be the id of a job. */
export function isJobId(text: string): boolean {
  return pattern.test(text);
}

/**
 * Checks the id in the path of a request. Other invalid ids are reported as unknown jobs.
 *
 * @throws MillraceError `invalid_params` for `.` and `..`.
 */
export function checkJobIdInPath(text: string): void {
  if (text === '.' || text === '..') {
    throw new MillraceError('invalid_params', `jobId ${jobIdRule}.`, { parameter: 'jobId' });
  }
}
