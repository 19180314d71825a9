/** @module-tag long */

import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { millrace } from '../support/command-line.ts';
import { describeJob, outcome, post, render, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { type LaunchOptions, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { stackSettings } from '../support/storage-stack.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: string;
let running: RunningProcess[] = [];
/** The service that owns the store, while it runs. */
let first: RunningProcess | undefined;

beforeAll(async () => {
  folder = await temporaryFolder();
  store = join(folder.path, 'store');
});
afterAll(async () => {
  await Promise.all(running.map((service) => service.kill()));
  await folder.delete();
});

const sound = () => describeJob('no_process', [{ url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' }], 'm4a');

/** Starts a service with its own database on the store. */
async function start(name: string, how: LaunchOptions = {}): Promise<RunningProcess> {
  const settings = { STORAGE_URL: `file:${store}` };
  const service = await startService(inject('labUrl'), join(folder.path, name), settings, how);
  running.push(service);
  return service;
}

/** Returns the service that owns the store, and the link of a file that it has stored. */
async function owner(): Promise<{ service: RunningProcess; link: string }> {
  first ??= await start('first');
  const { event } = await render(first.url, sound());
  return { service: first, link: event.output?.url ?? '' };
}

async function stopOwner(service: RunningProcess): Promise<void> {
  await service.stop();
  running = running.filter((other) => other !== service);
  first = undefined;
}

/** Runs `millrace doctor` with the settings of the service with the given name. */
async function doctor(name: string, option: string) {
  const DATA_DIR = join(folder.path, name);
  const env = { ...(await stackSettings(DATA_DIR)), DATA_DIR, STORAGE_URL: `file:${store}` };
  return await millrace(['doctor', option], { env, cwd: folder.path });
}

/**
 * Returns the HTTP status of a file's download link. It uses only the path of the link, because the port of a service
 * changes when it starts again.
 */
async function statusOfFile(service: RunningProcess, link: string): Promise<number> {
  const response = await fetch(new URL(new URL(link).pathname, service.url), { method: 'HEAD' });
  return response.status;
}

test('a second service with another database is refused, and no file is deleted', async () => {
  const { service, link } = await owner();
  await expect(start('second')).rejects.toThrow(/store.+another database.+millrace doctor --adopt-store/s);
  expect(await statusOfFile(service, link)).toBe(200);
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
});

describe('at the start', () => {
  /** Why the service did not start without its store. */
  let refusal: unknown;
  /** The service that started with a failing store, and the status of its health before and after the store is back. */
  let failing: { readonly service: RunningProcess; readonly printed: string; readonly health: readonly number[] };
  /** A file that was stored before. */
  let link: string;

  const healthOf = async ({ url }: RunningProcess) => (await fetch(`${url}/health`)).status;

  beforeAll(async () => {
    const before = await owner();
    link = before.link;
    await stopOwner(before.service);
    await rename(store, `${store}.away`);
    refusal = await start('first').catch((error: unknown) => error);
    await rm(store, { recursive: true });
    // Every call fails, as with a broken mount.
    await symlink('store', store);
    const service = await start('first', { unready: true });
    first = service;
    const printed = service.output();
    const health = [await healthOf(service)];
    await rm(store);
    await rename(`${store}.away`, store);
    health.push(await healthOf(service));
    failing = { service, printed, health };
  });

  test('a store that is missing at the start is refused, and nothing is lost', async () => {
    expect(String(refusal)).toMatch(/no mark.+mount.+millrace doctor --adopt-store/s);
    expect(await statusOfFile(failing.service, link)).toBe(200);
  });

  test('a store that fails at the start is used once it is back', async () => {
    expect(failing.printed).toMatch(/the store does not respond/);
    expect(failing.health).toEqual([503, 200]);
    expect(await statusOfFile(failing.service, link)).toBe(200);
  });
});

test('a store that is lost while the service runs gets no files until it is back', async () => {
  const { service, link } = await owner();
  const printedBefore = service.output().length;
  // After a mount is lost, the empty folder below it is visible.
  await rename(store, `${store}.away`);
  await mkdir(store);
  expect((await fetch(`${service.url}/health`)).status).toBe(503);
  const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, sound());
  // Either a check or the upload of the job notices the loss.
  await expect.poll(() => service.output().slice(printedBefore)).toMatch(/the worker pauses|the upload is retried/);
  expect(await readdir(store)).toEqual([]);
  await rm(store, { recursive: true });
  await rename(`${store}.away`, store);
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
  expect(await statusOfFile(service, link)).toBe(200);
  const { output } = await outcome(body.sseStatusUrl);
  expect(await statusOfFile(service, output?.url ?? '')).toBe(200);
});

test('an operator assigns a store to another database', async () => {
  await stopOwner((await owner()).service);
  await expect(start('second')).rejects.toThrow(/another database/);
  const adopted = await doctor('second', '--adopt-store');
  expect([adopted.code, adopted.stderr, adopted.stdout]).toEqual([0, '', expect.stringMatching(/another database/)]);
  const second = await start('second');
  await render(second.url, sound());
  await expect(start('first')).rejects.toThrow(/another database/);
});
