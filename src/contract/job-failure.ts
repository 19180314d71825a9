import Type from 'typebox';
import { type ErrorCode, errorCatalogue, type MillraceError } from './errors.ts';

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

/** The members that say why a job failed, the same wherever a job's status is reported. */
export const jobFailureMembers = {
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the job failed.' }),
  error_code: Type.Union([Type.Enum(errorCodes), Type.Null()], {
    description: 'Stable machine-readable code of the failure. null unless it failed.',
  }),
  retryable: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether starting the same job again can succeed. null unless it failed.',
  }),
  input: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'The input at fault, counted from 0. null if the failure is not about a single input.',
  }),
};

/** Why a job failed; all members are null for a job that has not failed. */
export interface JobFailure {
  readonly error: string | null;
  readonly error_code: ErrorCode | null;
  readonly retryable: boolean | null;
  readonly input: number | null;
}

/** The members of a job that has not failed. */
export const noFailure: JobFailure = { error: null, error_code: null, retryable: null, input: null };

/** The members of a job that failed with an error. */
export function jobFailure({ message, code, retryable, input }: MillraceError): JobFailure {
  return { error: message, error_code: code, retryable, input: input ?? null };
}
