import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { millrace } from '../support/command-line.ts';
import { firstRows } from '../support/first-rows.ts';
import { describeJob } from '../support/http-client.ts';
import { temporaryFolder } from '../support/processes.ts';
import { type Redirect, redirectStatuses, startRedirect } from '../support/redirects.ts';

/** Marks every key of a command. */
const key = 'key-that-stays-here';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let redirect: Redirect;

beforeAll(async () => {
  folder = await temporaryFolder();
  const job = describeJob('no_process', [{ url: `https://cdn.example/a.mp4?${key}`, ext: 'mp4' }], 'mp4');
  await writeFile(join(folder.path, 'job.json'), JSON.stringify(job));
});
afterAll(() => folder.delete());
afterEach(() => redirect.close());

/** Every command that sends a key to a service. */
const commands = [
  ['info', 'lab-plain30'],
  ['get', 'lab-plain30'],
  ['get', '--batch-file', '-'],
  ['search', 'bridges'],
  ['transcript', 'lab-plain30'],
  ['render', 'job.json'],
  ['render', 'job.json', '--plan'],
  ['cancel', 'job-0123456789abcdef0123456789abcdef'],
].map((words) => [words] as const);

for (const { rows, options } of firstRows(
  1,
  redirectStatuses.map((status) => [status] as const),
))
  describe.each(rows)('a service that redirects with %i to another origin', options, (status) => {
    test.each(commands)('receives the key of %j, and the other origin nothing', async (words) => {
      redirect = await startRedirect(status);
      const env = { MILLRACE_URL: redirect.url, MILLRACE_KEY: key, MILLRACE_RENDER_KEY: key };
      const { code, stderr } = await millrace(words, { env, cwd: folder.path, input: 'lab-plain30\n' });
      expect(redirect.requests.join('\n')).toContain(key);
      expect(redirect.elsewhere.requests).toEqual([]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${redirect.url} redirects to ${redirect.elsewhere.url}, where`),
      ]);
    });

    test.each([[['keys', 'list']], [['admin', 'jobs', 'list']]])(
      'receives the admin token of %j alone',
      async (words) => {
        redirect = await startRedirect(status);
        const env = { ADMIN_PORT: new URL(redirect.url).port, ADMIN_TOKEN: key };
        const { code, stderr } = await millrace(words, { env, cwd: folder.path });
        expect(redirect.requests.join('\n')).toContain(key);
        expect([redirect.elsewhere.requests, code, stderr]).toEqual([[], 1, `The admin API returned ${status}.\n`]);
      },
    );
  });
