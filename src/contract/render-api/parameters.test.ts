import { describe, expect, test } from 'vitest';
import { batchQuery, jobParameters, sealedQuery, sealedStartQuery, startQuery } from './parameters.ts';

describe('plan=only', () => {
  test.each([
    [{}, false],
    [{ plan: '' }, false],
    [{ plan: 'only' }, true],
  ])('is recognised in the query %j', (query, previewOnly) => {
    expect(startQuery.parse(query)).toEqual({ previewOnly });
    expect(sealedStartQuery.parse({ ...query, order: 'sealed' })).toEqual({ order: 'sealed', previewOnly });
  });

  test.each(['yes', 'ONLY', ['only', 'only'], 'only '])('is the only valid value: rejects %j', (plan) => {
    const refusal = expect.objectContaining({ code: 'invalid_params', parameter: 'plan' });
    expect(() => startQuery.parse({ plan })).toThrow(refusal);
    expect(() => sealedStartQuery.parse({ order: 'sealed', plan })).toThrow(refusal);
    expect(() => batchQuery.parse({ plan })).toThrow(refusal);
  });

  test('is rejected for a batch', () => {
    expect(() => batchQuery.parse({ plan: 'only' })).toThrow(
      'A batch has no preview. Request a preview of each job instead.',
    );
    expect(batchQuery.parse({})).toEqual({});
  });
});

test.each([undefined, ['a', 'b']])('order=%j is rejected as an invalid URL', (order) => {
  const refusal = expect.objectContaining({ code: 'invalid_url', status: 403 });
  expect(() => sealedQuery.parse({ order })).toThrow(refusal);
  expect(() => sealedStartQuery.parse({ order })).toThrow(refusal);
});

test('a job ID that URL parsers resolve is rejected', () => {
  expect(jobParameters.parse({ jobId: 'a' })).toEqual({ jobId: 'a' });
  expect(() => jobParameters.parse({ jobId: '..' })).toThrow(
    expect.objectContaining({ code: 'invalid_params', parameter: 'jobId' }),
  );
});
