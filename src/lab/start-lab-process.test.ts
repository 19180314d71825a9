/** @module-tag long */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LabProcess, startLabProcess } from './start-lab-process.ts';

let folder: string;
let lab: LabProcess | undefined;
const lines: [fields: object, message: string][] = [];
const log = { warn: (fields: object, message: string) => void lines.push([fields, message]) };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-lab-'));
  lines.length = 0;
});
afterEach(async () => {
  await lab?.close();
  lab = undefined;
  await rm(folder, { recursive: true });
});

/** Starts a program in place of the lab. `listen(port)` in it prints the ready line. */
async function start(script: string): Promise<LabProcess> {
  const program = join(folder, 'program.mjs');
  const prelude = `
    import { createServer } from 'node:http';
    process.on('disconnect', () => process.exit());
    const listen = (port, handle) => createServer(handle).on('error', () => process.exit(1)).listen(port, '127.0.0.1', function () {
      console.log(JSON.stringify({ event: 'ready', port: this.address().port }));
    });\n`;
  await writeFile(program, prelude + script);
  lab = await startLabProcess({ dataDirectory: folder, log, program });
  return lab;
}

const tell = `(request, response) => {
  if (request.url === '/end') process.exit(3);
  response.end(JSON.stringify({ pid: process.pid, environment: process.env }));
}`;

/** Requests a path of a host from the lab; rejects if the connection fails. */
function get(
  { origin }: LabProcess,
  path: string,
  host = 'cdn.lab.example',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(new URL(path, origin), { headers: { host }, agent: false }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: String(await response.toArray()) });
    })
      .on('error', reject)
      .end();
  });
}

test('the lab of the package serves media, has no control pages, and ends when it is closed', async () => {
  lab = await startLabProcess({ dataDirectory: folder, log });
  expect(await get(lab, '/media/amber-2/still-144.jpg')).toMatchObject({ status: 200 });
  expect(await get(lab, '/_lab/requests', '127.0.0.1')).toMatchObject({ status: 502 });
  await lab.close();
  await expect(get(lab, '/')).rejects.toThrow('ECONNREFUSED');
  expect(lines).toEqual([]);
});

test('the lab gets none of the environment of the service', async () => {
  const { body } = await get(await start(`listen(0, ${tell})`), '/');
  const names = Object.keys(JSON.parse(body).environment).filter((name) => !name.startsWith('NODE_CHANNEL'));
  expect(names.toSorted()).toEqual(['LAB_CACHE', 'LAB_CACHE_LIMIT', 'LAB_CONTROL', 'LAB_PORT', 'LAB_PREPARE']);
});

test('a lab that ends is restarted on the same port', async () => {
  const running = await start(`listen(Number(process.env.LAB_PORT), ${tell})`);
  const { href } = running.origin;
  const { pid } = JSON.parse((await get(running, '/')).body);
  await expect(get(running, '/end')).rejects.toThrow();
  await vi.waitFor(async () => expect(JSON.parse((await get(running, '/')).body).pid).not.toBe(pid), 60_000);
  expect(running.origin.href).toBe(href);
  expect(lines).toEqual([[{ exit: 'exit code 3', pause: 250 }, 'the lab ended unexpectedly and is restarted']]);
});

test('a lab that cannot listen on its earlier port is restarted on another one', async () => {
  const running = await start(`
    if (process.env.LAB_PORT !== '0') process.exit(1);
    listen(0, ${tell});`);
  const { port } = running.origin;
  await expect(get(running, '/end')).rejects.toThrow();
  await vi.waitFor(() => expect(running.origin.port).not.toBe(port), 60_000);
  expect(await get(running, '/')).toMatchObject({ status: 200 });
  expect(lines.map(([, message]) => message)).toEqual([
    'the lab ended unexpectedly and is restarted',
    'the lab did not restart',
  ]);
});

test('the output of the lab is in the log, in lines of limited length', async () => {
  await start(`console.error('x'.repeat(5000)); listen(0)`);
  await vi.waitFor(() => expect(lines).toEqual([[{ line: 'x'.repeat(1000) }, 'output of the lab']]), 60_000);
});

test.each([
  ['ends', `process.exit(1)`],
  ['prints nonsense', `console.log('ready')`],
])('the start fails if the lab %s', async (_what, script) => {
  await expect(start(script)).rejects.toThrow('LAB is on, but the lab did not start.');
});
