import Type from 'typebox';
import { type ErrorCode, errorCatalogue, type MillraceError } from './errors.ts';

/** Every error code. */
export const errorCodeSchema = Type.Enum(Object.keys(errorCatalogue) as ErrorCode[]);

/** Members that report why a job failed, identical wherever a job's status is reported. */
export const jobFailureMembers = {
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the job failed.' }),
  error_code: Type.Union([errorCodeSchema, Type.Null()], {
    description: 'Stable machine-readable code of the failure. null unless the job failed.',
  }),
  retryable: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether starting the same job again can succeed. null unless the job failed.',
  }),
  input: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Index of the input at fault, counted from 0. null if no single input is at fault.',
  }),
};

/** Why a job failed; all members are null for a job that has not failed. */
export interface JobFailure {
  readonly error: string | null;
  readonly error_code: ErrorCode | null;
  readonly retryable: boolean | null;
  readonly input: number | null;
}

/** The failure members of a job that has not failed. */
export const noFailure: JobFailure = { error: null, error_code: null, retryable: null, input: null };

/** Returns the failure members of a job that failed with an error. */
export function jobFailure({ message, code, retryable, input }: MillraceError): JobFailure {
  return { error: message, error_code: code, retryable, input: input ?? null };
}
