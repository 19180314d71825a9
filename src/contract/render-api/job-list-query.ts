import Type from 'typebox';
import { MillraceError } from '../errors.ts';
import { jobListLimits } from '../job-list.ts';
import { type JobState, jobStates } from '../job-status.ts';
import { listValues } from '../list-values.ts';
import type { RouteParameters } from './route.ts';

/** Maximum length of a cursor in characters. */
const MAX_CURSOR_LENGTH = 512;

/** A request for a page of a list of jobs. */
export interface JobListQuery {
  /** The states to return; undefined for all. */
  readonly states: readonly JobState[] | undefined;
  readonly limit: number;
  /** The cursor as the caller sent it. */
  readonly cursor: string | undefined;
}

/** The query of a list of jobs. Empty values count as absent. */
export const jobListQuery = {
  schema: Type.Object({
    state: Type.Optional(
      Type.Array(Type.Enum([...jobStates]), {
        description: 'Returns only jobs in these states. Default: all.',
        examples: [['failed']],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: jobListLimits.max,
        default: jobListLimits.default,
        description: 'Maximum number of jobs on a page.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: MAX_CURSOR_LENGTH,
        description: 'The `nextCursor` of the previous page. Repeat the other parameters unchanged.',
      }),
    ),
  }),
  parse: ({ state, limit, cursor }): JobListQuery => ({
    states: readStates(state),
    limit: readLimit(limit),
    cursor: readCursor(cursor),
  }),
} as const satisfies RouteParameters;

function readStates(value: unknown): readonly JobState[] | undefined {
  const states = listValues(value).map(readState);
  return states.length === 0 ? undefined : states;
}

function readState(name: string): JobState {
  const state = jobStates.find((each) => each === name);
  if (state === undefined) throw invalidParameter('state', `must be one or more of ${jobStates.join(', ')}`);
  return state;
}

function readLimit(value: unknown): number {
  if (value === undefined || value === '') return jobListLimits.default;
  const limit = typeof value === 'string' && /^[0-9]{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= jobListLimits.max) return limit;
  throw invalidParameter('limit', `must be a whole number from 1 to ${jobListLimits.max}`);
}

function readCursor(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= MAX_CURSOR_LENGTH) return value;
  throw invalidCursorError();
}

/** Creates the error for a cursor that the service did not create, or that was altered. */
export function invalidCursorError(): MillraceError {
  return invalidParameter('cursor', 'must be the nextCursor of a previous response, unchanged');
}

function invalidParameter(parameter: string, rule: string): MillraceError {
  return new MillraceError('invalid_params', `${parameter} ${rule}.`, { parameter });
}
