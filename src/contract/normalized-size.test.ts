import { expect, test } from 'vitest';
import { jobLimits } from './job.ts';
import { normalizedSize } from './normalized-size.ts';
import { parseJob } from './parse-job.ts';

const KIB = 1024;
const requestOf = (bodyLength: number) => ({ method: 'POST', body: 'a'.repeat(bodyLength) });
const headersOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'a'.repeat(8 * KIB)]));

function describeJob(count: number, requestOptions?: object, ownOptions?: object) {
  const input = { url: 'https://cdn.example/a.mp4', ext: 'mp4', ...(ownOptions && { requestOptions: ownOptions }) };
  return {
    id: 'job-1',
    inputs: Array.from({ length: count }, () => input),
    output: { ext: 'mp4' },
    operation: { type: 'join_streams' },
    ...(requestOptions && { requestOptions }),
  };
}

test.each([
  ['a body for 64 inputs', describeJob(64, requestOf(64 * KIB))],
  ['a body for 13 inputs', describeJob(13, requestOf(60 * KIB))],
  ['headers for 64 inputs', describeJob(64, { headers: headersOf(22) })],
  [
    'the longest body of characters with six-byte escapes',
    describeJob(3, { method: 'POST', body: '\u0001'.repeat(65_536) }),
  ],
])('parseJob refuses request options that are too large for all inputs together: %s', (_name, description) => {
  const message = expect.stringMatching(/ takes [\d,]+ KiB .* its \d+ inputs; the limit is 768 KiB\. Shorten /);
  expect(() => parseJob(description)).toThrow(expect.objectContaining({ code: 'body_too_large', message }));
});

test.each([
  ['a body for 12 inputs', describeJob(12, requestOf(60 * KIB))],
  ['cookies for 64 inputs', describeJob(64, { headers: { cookie: 'a'.repeat(8 * KIB) } })],
  ['large options that no input inherits', describeJob(64, requestOf(64 * KIB), {})],
])('parseJob accepts %s', (_name, description) => {
  expect(parseJob(description).inputs).toHaveLength(description.inputs.length);
});

test('the options of a job are not copied before they are measured', () => {
  const { inputs } = parseJob(describeJob(2, requestOf(1)));
  expect(inputs[0]?.request).toBe(inputs[1]?.request);
});

test.each([1, 2, 64])('the size is exactly that of the JSON of %d inputs', (count) => {
  const texts = [undefined, '', 'a', 'é\u{1F600}', '\u0001"\\\n', '\ud800'];
  const options = texts.map((body) =>
    body === undefined ? body : { method: 'POST', body, headers: { 'x-a': body.slice(0, 1) && 'a"' } },
  );
  for (const shared of options) {
    for (const own of options) {
      const job = parseJob(describeJob(count, shared, own));
      expect(normalizedSize(job)).toBe(Buffer.byteLength(JSON.stringify(job)));
    }
  }
});

test('every description that fits a request is small enough if its inputs inherit nothing', () => {
  // The defaults of 64 inputs are all that is added.
  const { inputs, ...rest } = parseJob(describeJob(64));
  const added = normalizedSize({ inputs, ...rest });
  expect(jobLimits.bodySize + added).toBeLessThan(jobLimits.normalizedSize);
});
