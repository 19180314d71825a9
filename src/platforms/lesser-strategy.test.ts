import { expect, test } from 'vitest';
import { type ErrorCode, MillraceError } from '../contract/errors.ts';
import { noteOnLesserStrategy } from './lesser-strategy.ts';

const failure = (code: ErrorCode) => new MillraceError(code, 'It failed.');

test.each(['operation_timeout', 'connection_error', 'service_unavailable'] as const)(
  'a result after a better strategy failed with %s may lack qualities',
  (code) => {
    expect(noteOnLesserStrategy([failure('invalid_response_data'), failure(code)])).toEqual({
      notes: ['Some qualities may be missing: It failed.'],
      incomplete: true,
    });
  },
);

test.each(['non_2xx_response', 'signin_required', 'invalid_response_data'] as const)(
  'a result after a better strategy was answered with %s lacks nothing',
  (code) => {
    expect(noteOnLesserStrategy([failure(code)])).toEqual({});
  },
);
