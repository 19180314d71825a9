import { MillraceError } from './errors.ts';

const MAX_LENGTH = 128;
const any = 'A-Za-z0-9._:-';
const notDot = 'A-Za-z0-9_:-';

/**
 * The pattern of job IDs. It excludes `.` and `..`, because URL parsers resolve them, even if written as `%2e`, before
 * the request is sent (https://url.spec.whatwg.org/#double-dot-path-segment). It uses no lookahead, which example
 * generators do not support. Instead it lists three cases: an ID begins with no dot, with one dot, or with two dots and
 * a further character.
 */
export const jobIdPattern = `^(?:[${notDot}][${any}]{0,127}|\\.[${notDot}][${any}]{0,126}|\\.\\.[${any}]{1,126})$`;

/** The rule for job IDs as a phrase for error messages. */
export const jobIdRule = `must be 1 to ${MAX_LENGTH} characters of A-Z, a-z, 0-9, ".", "_", ":" and "-", and not "." or ".."`;

const pattern = new RegExp(jobIdPattern);

/** Whether a text is a valid job ID. */
export function isJobId(text: string): boolean {
  return pattern.test(text);
}

/**
 * Rejects `.` and `..` as the ID in the path of a request. Other invalid IDs are reported as unknown jobs.
 *
 * @throws MillraceError `invalid_params` for `.` and `..`.
 */
export function checkJobIdInPath(text: string): void {
  if (text === '.' || text === '..') {
    throw new MillraceError('invalid_params', `jobId ${jobIdRule}.`, { parameter: 'jobId' });
  }
}
