import type { TLocalizedValidationError } from 'typebox/error';
import { type FieldFault, MillraceError } from './errors.ts';
import { jobIdRule } from './job-id.ts';

/** Maximum length of a path in characters. Callers choose the names in it, so longer paths are shortened. */
const MAX_PATH_LENGTH = 100;
/** Maximum number of faults that the message repeats from the list. */
const MAX_IN_MESSAGE = 10;

/**
 * Maximum number of values in a body, counting nested ones, for which faults are listed. Visiting each takes several
 * microseconds.
 */
const MAX_VALUES = 10_000;

/** A compiled schema. */
interface CompiledSchema {
  Errors(body: unknown): readonly TLocalizedValidationError[];
}

/**
 * Returns the faults that a schema finds in a body, one for each wrong member, by its path (`inputs.0.url`). For IDs
 * and extensions the message states the rule in words, since a pattern is hard to read.
 */
export function schemaFaults(schema: CompiledSchema, body: unknown): FieldFault[] {
  if (hasMoreThan(MAX_VALUES, body)) return [{ path: '', message: `must not have more than ${MAX_VALUES} values` }];
  const faults = new Map<string, string>();
  for (const error of schema.Errors(body)) {
    const at = error.instancePath.slice(1).replaceAll('/', '.');
    for (const fault of describe(error, at, body)) if (!faults.has(fault.path)) faults.set(fault.path, fault.message);
  }
  return [...faults].map(([path, message]) => ({ path: shorten(path), message }));
}

/** Creates the error that reports the faults of a body. */
export function invalidBody(what: string, fields: readonly FieldFault[]): MillraceError {
  const details = fields
    .slice(0, MAX_IN_MESSAGE)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const more = fields.length > MAX_IN_MESSAGE ? `; and ${fields.length - MAX_IN_MESSAGE} more` : '';
  const message = `The ${what} is not valid: ${details.join('; ')}${more}.`;
  return new MillraceError('invalid_body', message, { fields, input: inputOf(fields) });
}

/** Returns the index of the input that has all the faults; null if there is no such input. */
function inputOf(fields: readonly FieldFault[]): number | null {
  const [only, ...others] = new Set(fields.map(({ path }) => /^inputs\.(\d{1,3})\./.exec(path)?.[1]));
  return only === undefined || others.length > 0 ? null : Number(only);
}

/** Whether a body contains more than `max` values. */
function hasMoreThan(max: number, body: unknown): boolean {
  const values = [body];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (typeof value !== 'object' || value === null) continue;
    const nested = Array.isArray(value) ? value : Object.values(value);
    if (values.length + nested.length > max) return true;
    values.push(...nested);
  }
  return false;
}

function shorten(path: string): string {
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
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

/** The rule of each member with a pattern, in words, by the last part of its path. */
const patternRules: Readonly<Record<string, string>> = {
  id: jobIdRule,
  ext: 'must be a file extension of 1 to 10 lower-case letters and digits',
  language: 'must be a language tag such as de or pt-BR',
  date: 'must be a date such as 2026, 2026-11 or 2026-11-26',
  track: 'must be a track number such as 3 or 3/12',
  crop: 'must be an aspect ratio such as 9:16',
};

function patternMessage(path: string): string {
  return patternRules[path.slice(path.lastIndexOf('.') + 1)] ?? jobIdRule;
}
