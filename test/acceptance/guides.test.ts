/** @module-tag long */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { keys, startService, temporaryFolder } from '../support/processes.ts';

/** Returns the indented commands of a guide. */
async function blocksOf(guide: string): Promise<string[]> {
  const text = await readFile(new URL(`../../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/(?<=\n\n)(?: {4,}\S.*\n)+/g)].map(([block]) => block);
}

/** Replaces the address and keys of the guides, which are those of the demo. */
function adapt(commands: string, service: string): string {
  return commands
    .replaceAll('http://127.0.0.1:8080', service)
    .replaceAll('demo-key', keys.MEGA)
    .replaceAll('demo-render-key', keys.render);
}

/** Runs the commands of a guide as one program, and returns what they print. */
async function run(guide: string): Promise<string> {
  const folder = await temporaryFolder();
  try {
    const program = adapt((await blocksOf(guide)).join('\n'), inject('serviceUrl'));
    const { stdout } = await promisify(execFile)('sh', ['-ec', program], { cwd: folder.path, timeout: 300_000 });
    return stdout;
  } finally {
    await folder.delete();
  }
}

test.each([
  ['authentication', ['"title":', '"keyKind":"render"']],
  ['pagination', ['"error":null']],
  ['errors-and-retries', ['"code":"not_found"', '"status":"failed"', '"error_code":"source_refused"']],
  ['idempotency', ['"status":"queued"', '"status":"already_exists"']],
  ['rate-limits', ['ratelimit-remaining: ', '"jobsAtOnce":']],
  ['clips-and-tags', ['"renderConfig":', '"status":"done"']],
  ['versioning', ['"extractionApi":"v3","renderApi":"v1"']],
])('the commands of the guide %s return what it says', async (guide, parts) => {
  const output = await run(guide);
  for (const part of parts) expect(output).toContain(part);
});

test('the commands of the guide rendering make a file with the stated hash', async () => {
  const output = await run('rendering');
  const [, digest] = /repr-digest: sha-256=:(.+):/.exec(output) ?? [];
  expect(output.split('\n')).toContain(digest);
});

test('the commands of the guide webhooks deliver an event to a receiver on the same machine', async () => {
  const [start = '', receiver = '', send = ''] = await blocksOf('webhooks');
  const [, name = '', range = ''] = /^ *(EGRESS_ALLOW)=(\S+) npm run demo/.exec(start) ?? [];
  const folder = await temporaryFolder();
  const service = await startService(inject('labUrl'), folder.path, { [name]: range });
  const port = String(await freePort());
  try {
    const untilListening = 'curl -sS --retry 20 --retry-delay 1 --retry-connrefused http://127.0.0.1:9000/';
    const commands = `${receiver.trimEnd()} & trap "kill $!" EXIT; ${untilListening}\n${send}`;
    const program = adapt(commands, service.url).replaceAll('9000', port);
    const { stdout } = await promisify(execFile)('sh', ['-ec', program], { cwd: folder.path, timeout: 300_000 });
    expect(stdout).toContain('"test":true');
    expect(stdout).toContain('"delivered":true');
  } finally {
    await service.stop();
    await folder.delete();
  }
});
