import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../testing/property-runs.ts';
import { MillraceError } from './errors.ts';
import { parseJob } from './parse-job.ts';

const job = {
  id: 'job-1',
  inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
  output: { ext: 'mp4' },
  operation: { type: 'convert_format' },
};

/** Returns the webhook of a job with this webhook in its body, or the paths of the faults. */
function parseWebhook(webhook: unknown) {
  try {
    return { webhook: parseJob({ ...job, webhook }).webhook };
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'invalid_body') throw error;
    return { paths: (error.fields ?? []).map(({ path }) => path) };
  }
}

const secret = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 16,
  maxLength: 256,
});
const key = fc
  .uint8Array({ minLength: 16, maxLength: 180 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const url = fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true });

test('a valid webhook is accepted unchanged', () => {
  fc.assert(
    fc.property(
      url,
      fc.oneof(
        key,
        secret.filter((text) => !text.startsWith('whsec_')),
      ),
      (url, secret) => {
        expect(parseWebhook({ url, secret })).toEqual({ webhook: { url, secret } });
      },
    ),
    { seed: 8 },
  );
});

test('any other webhook is accepted unchanged or rejected with the paths of its faults', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.record({
      url: fc.oneof(url, fc.string()),
      secret: fc.oneof(
        secret,
        fc.string(),
        fc.string().map((text) => `whsec_${text}`),
      ),
    }),
  );
  fc.assert(
    fc.property(anything, (webhook) => {
      const { webhook: result, paths = [] } = parseWebhook(webhook);
      if (paths.length === 0) expect(result).toEqual(webhook);
      else for (const path of paths) expect(path).toMatch(/^webhook(\.|$)/);
    }),
    { seed: 8, numRuns: propertyRuns(500) },
  );
});

test('a job without a webhook has none after parsing', () => {
  expect(parseJob(job)).not.toHaveProperty('webhook');
});
