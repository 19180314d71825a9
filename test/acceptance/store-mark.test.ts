import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { describeJob, outcome, post, render, type Started } from '../support/client.ts';
import { millrace } from '../support/command-line.ts';
import { labFile } from '../support/lab.ts';
import { type Elsewhere, type Running, startService, temporaryFolder } from '../support/processes.ts';
import { stackSettings } from '../support/stack.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: string;
let running: Running[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  store = join(folder.path, 'store');
});
afterEach(async () => {
  await Promise.all(running.map((service) => service.stop()));
  running = [];
  await folder.delete();
});

const sound = () => describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');

/** Starts a service on the store, with a database of its own. */
async function start(name: string, how: Elsewhere = {}): Promise<Running> {
  const settings = { STORAGE_URL: `file:${store}` };
  const service = await startService(inject('labUrl'), join(folder.path, name), settings, how);
  running.push(service);
  return service;
}

async function stop(service: Running): Promise<void> {
  await service.stop();
  running = running.filter((other) => other !== service);
}

/** Runs `millrace doctor` with the settings of such a service. */
async function doctor(name: string, option: string) {
  const DATA_DIR = join(folder.path, name);
  const env = { ...(await stackSettings(DATA_DIR)), DATA_DIR, STORAGE_URL: `file:${store}` };
  return await millrace(['doctor', option], { env, cwd: folder.path });
}

/** The path of a file's download link: the port of a service changes when it starts again. */
async function statusOfFile(service: Running, link: string): Promise<number> {
  const answer = await fetch(new URL(new URL(link).pathname, service.url), { method: 'HEAD' });
  return answer.status;
}

test('a second service with another database is refused, and no file is deleted', { timeout: 120_000 }, async () => {
  const first = await start('first');
  const { event } = await render(first.url, sound());
  await expect(start('second')).rejects.toThrow(/store.+another database.+millrace doctor --adopt-store/s);
  expect(await statusOfFile(first, event.output?.url ?? '')).toBe(200);
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
});

test('a store that is missing at the start is refused, and nothing is lost', { timeout: 120_000 }, async () => {
  const service = await start('first');
  const { event } = await render(service.url, sound());
  await stop(service);
  await rename(store, `${store}.away`);
  await expect(start('first')).rejects.toThrow(/no mark.+mount.+millrace doctor --adopt-store/s);
  await rm(store, { recursive: true });
  await rename(`${store}.away`, store);
  expect(await statusOfFile(await start('first'), event.output?.url ?? '')).toBe(200);
});

test('a store that fails at the start is used once it is back', { timeout: 120_000 }, async () => {
  const service = await start('first');
  const { event } = await render(service.url, sound());
  await stop(service);
  await rename(store, `${store}.away`);
  // Every call fails, as those of a broken mount do.
  await symlink('store', store);
  const again = await start('first', { unready: true });
  expect(again.output()).toMatch(/the store does not respond/);
  expect((await fetch(`${again.url}/health`)).status).toBe(503);
  await rm(store);
  await rename(`${store}.away`, store);
  expect((await fetch(`${again.url}/health`)).status).toBe(200);
  expect(await statusOfFile(again, event.output?.url ?? '')).toBe(200);
});

test('a store that is lost while the service runs gets no files until it is back', { timeout: 120_000 }, async () => {
  const service = await start('first');
  const { event } = await render(service.url, sound());
  // What is seen of a mount that was lost: the empty folder below it.
  await rename(store, `${store}.away`);
  await mkdir(store);
  expect((await fetch(`${service.url}/health`)).status).toBe(503);
  const { body } = await post<Started>(`${service.url}/api/v1/render/execute`, sound());
  // A check notices the loss, or the upload of the job does.
  await expect.poll(() => service.output(), { timeout: 30_000 }).toMatch(/the worker pauses|the upload is retried/);
  expect(await readdir(store)).toEqual([]);
  await rm(store, { recursive: true });
  await rename(`${store}.away`, store);
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
  expect(await statusOfFile(service, event.output?.url ?? '')).toBe(200);
  const { output } = await outcome(body.sseStatusUrl);
  expect(await statusOfFile(service, output?.url ?? '')).toBe(200);
});

test('an operator gives a store to another database', { timeout: 120_000 }, async () => {
  const first = await start('first');
  await render(first.url, sound());
  await stop(first);
  await expect(start('second')).rejects.toThrow(/another database/);
  const adopted = await doctor('second', '--adopt-store');
  expect([adopted.code, adopted.stderr, adopted.stdout]).toEqual([0, '', expect.stringMatching(/another database/)]);
  const second = await start('second');
  await render(second.url, sound());
  await expect(start('first')).rejects.toThrow(/another database/);
});
