import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Config, readConfig } from '../../config.ts';
import { startInMemory } from './in-memory-service.ts';

const log = pino({ level: 'silent' });
let folder: string;
let config: Config;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-in-memory-'));
  config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    EXTRACTION_KEYS: 'MEGA:key-of-extraction',
    RENDER_KEYS: 'key-of-jobs',
  });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns the service's message for an unknown job. */
async function messageOfNoJob(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/render/jobs/none`);
  const { error } = (await answer.json()) as { readonly error: { readonly message: string } };
  return error.message;
}

test('a service without renders has no jobs and writes nothing', async () => {
  const service = await startInMemory(config, log, { extraction: true, renders: false, webhooks: false });
  expect((await fetch(`${service.url}/p1/v3/video/details`)).status).toBe(401);
  expect(await messageOfNoJob(service.url)).toMatch(/^No route matches/);
  await service.close();
  expect(existsSync(config.DATA_DIR)).toBe(false);
});

test('a service with renders starts its worker on ready, and stops it on close', async () => {
  const service = await startInMemory(config, log, { extraction: false, renders: true, webhooks: false });
  expect(await messageOfNoJob(service.url)).toMatch(/^No job has this ID/);
  expect(existsSync(config.DATA_DIR)).toBe(false);
  await service.ready();
  expect(existsSync(join(config.DATA_DIR, 'worker'))).toBe(true);
  await service.close();
  await expect(fetch(service.url)).rejects.toThrow();
  await expect(service.ready()).rejects.toThrow('closed');
});

test('ready fails with the reason if the worker cannot start', async () => {
  const unusable = { ...config, DATA_DIR: '/dev/null/data' };
  const service = await startInMemory(unusable, log, { extraction: false, renders: true, webhooks: false });
  await expect(service.ready()).rejects.toThrow('ENOTDIR');
  await service.close();
});
