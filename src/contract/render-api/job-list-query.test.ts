import { describe, expect, test } from 'vitest';
import { jobListQuery } from './job-list-query.ts';

describe('the query of a list of jobs', () => {
  test.each([
    [{}, { states: undefined, limit: 20, cursor: undefined }],
    [
      { state: '', limit: '', cursor: '' },
      { states: undefined, limit: 20, cursor: undefined },
    ],
    [
      { state: 'failed', limit: '1' },
      { states: ['failed'], limit: 1, cursor: undefined },
    ],
    [
      { state: 'done,failed', limit: '100' },
      { states: ['done', 'failed'], limit: 100, cursor: undefined },
    ],
    [
      { state: ['done', 'failed,done'], cursor: 'c' },
      { states: ['done', 'failed'], limit: 20, cursor: 'c' },
    ],
  ])('reads %j', (query, expected) => {
    expect(jobListQuery.parse(query)).toEqual(expected);
  });

  test.each([
    ['state', 'finished'],
    ['state', 'done,'.repeat(2).concat('DONE')],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1e1'],
    ['limit', ['1', '2']],
    ['cursor', 'c'.repeat(513)],
    ['cursor', ['a', 'b']],
  ])('rejects %s=%j', (parameter, value) => {
    const refusal = expect.objectContaining({ code: 'invalid_params', parameter });
    expect(() => jobListQuery.parse({ [parameter]: value })).toThrow(refusal);
  });
});
