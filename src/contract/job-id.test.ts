import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { checkJobIdInPath, isJobId, jobIdPattern } from './job-id.ts';

test.each(['.', '..', '', 'a b', 'a/b', 'a%2e', '%2e', '%2e%2e', 'é', 'a\n', 'a'.repeat(129)])(
  '%j is not an ID',
  (text) => {
    expect(isJobId(text)).toBe(false);
  },
);

test.each(['...', '.a', 'a.', '..a', '.-', 'a', '0', ':', 'a'.repeat(128)])('%j is an ID', (text) => {
  expect(isJobId(text)).toBe(true);
  expect(() => checkJobIdInPath(text)).not.toThrow();
});

test.each(['.', '..'])('the ID %s in a path is rejected with a message that names it', (text) => {
  expect(() => checkJobIdInPath(text)).toThrow(expect.objectContaining({ code: 'invalid_params', parameter: 'jobId' }));
});

test('every other text that consists of allowed characters is an ID', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a.]{1,6}$|^[A-Za-z0-9._:-]{120,130}$/), (text) => {
      expect(isJobId(text)).toBe(text !== '.' && text !== '..' && text.length <= 128);
    }),
    { seed: 10, numRuns: propertyRuns(500) },
  );
});

test('URLs keep every ID unchanged, at the end of a path and inside it', () => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(jobIdPattern)), (id) => {
      for (const path of [`/jobs/${id}`, `/jobs/${id}/deliveries`, `/jobs/${encodeURIComponent(id)}`]) {
        expect(decodeURIComponent(new URL(path, 'https://a.example').pathname)).toBe(decodeURIComponent(path));
      }
    }),
    { seed: 10, examples: [['...'], ['.a'], ['a..'], ['.-.'], [':']] },
  );
});
