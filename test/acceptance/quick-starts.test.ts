/** @module-tag long */

// Runs the quick starts unchanged, against the service under test and against one that fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { canRun } from '../support/can-run.ts';
import { environmentOf } from '../support/environment.ts';
import { startFakeService } from '../support/fake-service.ts';
import { inspect } from '../support/media.ts';
import { keys, temporaryFolder } from '../support/processes.ts';
import { redirectStatuses, startRedirect } from '../support/redirects.ts';

const service = inject('serviceUrl');
const folder = fileURLToPath(new URL('../../docs/quick-starts/', import.meta.url));
const TIMEOUT_MS = 540_000;
/** Most lines of a program. Go's format gives each import, each brace and each check of an error its own line. */
const maxLines = { 'quick-start.go': 61 } as Readonly<Record<string, number>>;

/** Commands that run the programs, and commands that the programs need. */
const programs = [
  [
    'quick-start.sh',
    ['bash'],
    [
      ['curl', '--version'],
      ['jq', '--version'],
      ['sha256sum', '--version'],
    ],
  ],
  ['quick-start.mjs', [process.execPath], []],
  ['quick-start.py', ['python3'], [['python3', '--version']]],
  ['quick-start.go', ['go', 'run'], [['go', 'version']]],
  ['quick-start.php', ['php'], [['php', '--version']]],
] as const;

let home: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ path: home, delete: remove } = await temporaryFolder());
});
afterAll(() => remove());

/** Runs a program in a new folder. */
async function run(program: string, [file = '', ...args]: readonly string[], url: string, key: string) {
  const cwd = await mkdtemp(join(home, 'run-'));
  // Go compiles into its own folder of this run, and fetches nothing.
  const go = { GOCACHE: join(home, 'go'), GOPATH: join(home, 'gopath'), GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  const env = environmentOf({ ...go, MILLRACE_URL: url, MILLRACE_KEY: key });
  const child = spawn(file, [...args, join(folder, program)], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const [stdout, stderr, [code]] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'exit')]);
  return { cwd, code, stdout: stdout.toString(), stderr: stderr.toString(), files: await readdir(cwd) };
}

/** Starts a service whose render ends with an event, and whose file differs from its SHA-256. */
function startFailingService(event: (url: string) => object) {
  return startFakeService((url) => ({
    '/p1/v3/video/details': {
      json: {
        error: null,
        contents: [{ renderableVideos: [{ label: '720p', renderConfig: { executionUrl: `${url}/start` } }] }],
      },
    },
    '/start': { json: { jobId: 'job', sseStatusUrl: `${url}/events` } },
    '/events': { events: [{ status: 'queued', error: null, output: null }, event(url)] },
    '/file': { json: {} },
  }));
}

describe.concurrent.each(programs)('%s', (program, command, requirements) => {
  const missing = requirements.filter((requirement) => !canRun(requirement)).map(([name]) => name);
  const isMissing = missing.length > 0;
  if (isMissing) process.stderr.write(`Tests of ${program} are skipped: ${missing.join(', ')} is not installed.\n`);

  test('is short, and uses the demo service by default', async () => {
    const text = await readFile(join(folder, program), 'utf8');
    expect(text).toContain('http://127.0.0.1:8080');
    expect(text).toContain('demo-key');
    const code = text.split('\n');
    const lines = code.filter((line) => !/^\s*(?:\/\/.*|#.*)?$/.test(line));
    expect(lines.length).toBeLessThanOrEqual(maxLines[program] ?? 25);
    expect(Math.max(...code.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test.skipIf(isMissing)('saves a verified file', async () => {
    const { cwd, code, stdout, stderr, files } = await run(program, command, service, keys.MEGA);
    expect([code, stderr, files]).toEqual([0, '', ['video.mp4']]);
    expect(stdout).toBe('video.mp4 has the size and the SHA-256 that the service states.\n');
    const { tracks } = await inspect(await readFile(join(cwd, 'video.mp4')));
    expect(tracks.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
  });

  test.skipIf(isMissing)('fails with the reason if the key is unknown', async () => {
    const { code, stderr, files } = await run(program, command, service, 'unknown-key');
    expect([code, stderr, files]).toEqual([expect.any(Number), expect.stringMatching(/key .* is unknown/), []]);
    expect(code).not.toBe(0);
  });

  test.skipIf(isMissing).each(redirectStatuses)('sends its key to no other server after a %i', async (status) => {
    const redirect = await startRedirect(status);
    const key = 'key-that-stays-here';
    const { code, files } = await run(program, command, redirect.url, key).finally(redirect.close);
    expect([redirect.requests.join('\n'), files]).toEqual([expect.stringContaining(key), []]);
    expect(redirect.elsewhere.requests.join('\n')).not.toContain(key);
    expect(code).not.toBe(0);
  });

  test.skipIf(isMissing)('fails with the reason if the job fails', async () => {
    const failing = await startFailingService(() => ({ status: 'failed', error: 'Input 1 is gone.', output: null }));
    const { code, stderr, files } = await run(program, command, failing.url, keys.MEGA).finally(failing.close);
    expect([code, stderr, files]).toEqual([expect.any(Number), expect.stringContaining('Input 1 is gone.'), []]);
    expect(code).not.toBe(0);
  });

  test.skipIf(isMissing)('fails with the status if the stream ends early', async () => {
    const failing = await startFailingService(() => ({ status: 'processing', error: null, output: null }));
    const { code, stderr, files } = await run(program, command, failing.url, keys.MEGA).finally(failing.close);
    expect([code, stderr, files]).toEqual([expect.any(Number), expect.stringContaining('The job is processing'), []]);
    expect(code).not.toBe(0);
  });

  test.skipIf(isMissing)('fails and saves no file if the file is damaged', async () => {
    const failing = await startFailingService((url) => ({
      status: 'done',
      error: null,
      output: { url: `${url}/file`, size: 2, sha256: '0'.repeat(64) },
    }));
    const { code, stderr, files } = await run(program, command, failing.url, keys.MEGA).finally(failing.close);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('The file is damaged.')]);
    expect(code).not.toBe(0);
    expect(files).not.toContain('video.mp4');
  });
});
