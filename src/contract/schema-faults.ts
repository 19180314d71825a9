import type { TLocalizedValidationError } from 'typebox/error';
import { type FieldFault, MillraceError } from './errors.ts';
import { jobIdRule } from './job-id.ts';

/** Maximum length of a path in characters. The caller chooses the names in it, so longer paths are shortened. */
const LONGEST_PATH = 100;
/** Maximum number of errors that the message repeats from the list. */
const MOST_IN_MESSAGE = 10;

/**
 * What a schema check found, in words for the caller, each wrong member once and by its path (`inputs.0.url`).
 * A wrong id or extension is told by what it may be, since a pattern reads badly.
 */
export function schemaFaults(errors: readonly TLocalizedValidationError[], body: unknown): FieldFault[] {
  const faults = new Map<string, string>();
  for (const error of errors) {
    const at = error.instancePath.slice(1).replaceAll('/', '.');
    for (const fault of describe(error, at, body)) if (!faults.has(fault.path)) faults.set(fault.path, fault.message);
  }
  return [...faults].map(([path, message]) => ({ path: shorten(path), message }));
}

/** The error that tells them: of which body they are, and what each is. */
export function invalidBody(what: string, fields: readonly FieldFault[]): MillraceError {
  const named = fields
    .slice(0, MOST_IN_MESSAGE)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const more = fields.length > MOST_IN_MESSAGE ? `; and ${fields.length - MOST_IN_MESSAGE} more` : '';
  return new MillraceError('invalid_body', `The ${what} is not valid: ${named.join('; ')}${more}.`, { fields });
}

function shorten(path: string): string {
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}

function describe(error: TLocalizedValidationError, at: string, body: unknown): FieldFault[] {
  const below = (name: string) => (at === '' ? name : `${at}.${name}`);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ path: below(name), message: 'is required' }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ path: below(name), message: 'is not a known member' }));
    case 'boolean':
      return [{ path: at, message: 'is not a known member' }];
    case 'enum':
      return [{ path: at, message: `must be one of ${error.params.allowedValues.join(', ')}` }];
    case 'pattern':
      return [{ path: at, message: patternMessage(at) }];
    case 'type':
      return [{ path: at, message: at === '' && body === undefined ? 'A JSON body is required' : error.message }];
    default:
      return [{ path: at, message: error.message }];
  }
}

function patternMessage(path: string): string {
  if (path.endsWith('ext')) return 'must be a file extension of 1 to 10 lower-case letters and digits';
  return jobIdRule;
}
