import { expect, test } from 'vitest';
import { MillraceApiError, MillraceNetworkError, MillraceRenderError } from '#client/errors.ts';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { recordingStream } from '../testing/recording-stream.ts';
import { CommandError, UsageError } from './command-errors.ts';
import { exitCodeOf } from './exit-codes.ts';
import { InterruptedError } from './interruption.ts';
import { errorJson, printError } from './print-error.ts';

const request = { method: 'GET', url: 'http://127.0.0.1/p1/v3/video/details' } as const;

function refusal(code: string, statusCode: number, retryable = false, more = {}) {
  return new MillraceApiError({ message: `It is ${code}.`, code, statusCode, retryable, ...more }, request);
}

const failed = {
  job_id: 'j',
  status: 'failed',
  progress: 10,
  output: null,
  request_id: null,
  created_at: '',
  expires_at: '',
} as const;

function failure(error_code: ErrorCode, input: number | null = null) {
  const { retryable } = errorCatalogue[error_code];
  return new MillraceRenderError({ ...failed, error: `It is ${error_code}.`, error_code, retryable, input });
}

const noJob = {
  id: 'j',
  status: 'not_found',
  error: 'x',
  error_code: 'not_found',
  retryable: false,
  input: null,
} as const;

test.each<[string, Error, number]>([
  ['an invalid argument', new UsageError('x'), 2],
  ['an existing file', new CommandError('x'), 1],
  ['a bug', new TypeError('x'), 1],
  ['an invalid parameter', refusal('invalid_params', 400), 2],
  ['an invalid job', refusal('invalid_body', 400), 2],
  ['a job that is too large', refusal('body_too_large', 413), 2],
  ['a missing item', refusal('not_found', 404), 3],
  ['a private video', refusal('unavailable', 403), 3],
  ['a required sign-in', refusal('signin_required', 401), 3],
  ['an expired link', refusal('expired', 410), 3],
  ['a site that fails', refusal('non_2xx_response', 502, true), 4],
  ['too many requests', refusal('rate_limited', 429, true), 4],
  ['a wrong key', refusal('invalid_user_details', 401), 5],
  ['a wrong render key', refusal('unauthorized', 401), 5],
  ['an exhausted quota', refusal('quota_exceeded', 429), 5],
  ['an unreachable service', new MillraceNetworkError('unreachable', 'x', request), 4],
  ['a changed file', new MillraceNetworkError('changed', 'x', request), 1],
  ['an unknown render', new MillraceRenderError(noJob), 3],
  ['a source that refuses', failure('source_refused'), 3],
  ['an internal address', failure('address_refused'), 3],
  ['a source that is down', failure('source_unreachable'), 4],
  ['a lost worker', failure('worker_lost'), 4],
  ['incompatible codecs', failure('incompatible_codecs'), 1],
  ['an oversized input', failure('input_too_large'), 1],
  ['a cancelled render', failure('cancelled'), 1],
  ['Ctrl-C', new InterruptedError('SIGINT'), 130],
  ['SIGTERM', new InterruptedError('SIGTERM'), 143],
])('%s has its exit code', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

function printedError(error: unknown): string {
  const standardOutput = recordingStream();
  const { stream, output } = recordingStream();
  const streams = { stdin: process.stdin, stdout: standardOutput.stream, stderr: stream } as unknown as NodeJS.Process;
  printError(
    error,
    openTerminal(streams, () => undefined),
  );
  return output();
}

test('printError prints messages and hints without control characters', () => {
  const error = refusal('unavailable', 403, false, {
    message: 'Not \u001b[2Jhere\u202e.',
    reason: 'The uploader\nhas not…',
    detail: { allowedCountries: ['FR', 'BE'] },
  });
  expect(printedError(error)).toBe(
    'Not [2Jhere .\n  The platform says: The uploader has not…\n  Available in FR, BE (--country).\n',
  );
  expect(printedError(refusal('rate_limited', 429, true, { retryAfter: 3 }))).toContain('Try again in 3 s.');
  const fields = [{ path: 'inputs.0.url', message: 'must be a link' }];
  expect(printedError(refusal('invalid_body', 400, false, { fields }))).toContain('  inputs.0.url: must be a link\n');
  expect(printedError(refusal('invalid_user_details', 401))).toContain('MILLRACE_KEY');
});

test('printError explains how to select the service if it is unreachable', () => {
  const error = new MillraceNetworkError('unreachable', 'http://127.0.0.1:9/ could not be reached.', request);
  expect(printedError(error)).toBe(
    'http://127.0.0.1:9/ could not be reached.\n  Is the service running? --service or MILLRACE_URL sets its address.\n',
  );
});

test('printError prints the stack of a bug, but not of an expected error', () => {
  expect(printedError(new TypeError('oops'))).toMatch(/TypeError: oops\n +at /);
  expect(printedError(new CommandError('There is no x\nSaved 1 MB'))).toBe('There is no x Saved 1 MB\n');
});

test('errorJson describes errors for programs', () => {
  expect(JSON.parse(errorJson(refusal('not_found', 404)))).toEqual({
    error: { message: 'It is not_found.', code: 'not_found' },
    exitCode: 3,
  });
  expect(JSON.parse(errorJson(failure('input_unreadable', 1)))).toEqual({
    error: { message: 'It is input_unreadable.', code: 'input_unreadable', input: 1 },
    exitCode: 1,
  });
});
