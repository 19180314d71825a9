import { MillraceError } from './errors.ts';

const MAX_LENGTH = 128;
const any = 'A-Za-z0-9._:-';
const notDot = 'A-Za-z0-9_:-';

/**
 * What an id is made of; nothing else is ever the id of a job. `.` and `..` are not ids: URL parsers resolve them, also
 * written as `%2e`, before the request is sent (https://url.spec.whatwg.org/#double-dot-path-segment). Written without a
 * lookahead, which generators of examples do not know: an id begins with no dot, with one, or with two and more.
 */
export const jobIdPattern = `^(?:[${notDot}][${any}]{0,127}|\\.[${notDot}][${any}]{0,126}|\\.\\.[${any}]{1,126})$`;

/** The pattern in words, for whoever sent another id. */
export const jobIdRule = `must be 1 to ${MAX_LENGTH} characters of A-Z, a-z, 0-9, ".", "_", ":" and "-", and not "." or ".."`;

const pattern = new RegExp(jobIdPattern);

/** Whether a text can be the id of a job. */
export function isJobId(text: string): boolean {
  return pattern.test(text);
}

/**
 * Checks the id in the path of a request. Most texts that are not ids are ids that no job has, and are reported as such.
 *
 * @throws MillraceError `invalid_params` for `.` and `..`.
 */
export function checkJobIdInPath(text: string): void {
  if (text === '.' || text === '..') {
    throw new MillraceError('invalid_params', `jobId ${jobIdRule}.`, { parameter: 'jobId' });
  }
}
