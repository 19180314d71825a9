import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../errors/command-errors.ts';
import { findCredentials } from './credentials.ts';
import { createTemporaryDataFolder, openPersistentDataFolder } from './local-data-folder.ts';
import { serviceAddress } from './session.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-keys-'));
  await writeFile(join(folder, 'key'), 'from-file\n');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  [{ service: 'https://a.example' }, { MILLRACE_URL: 'https://b.example' }, 'https://a.example'],
  [{}, { MILLRACE_URL: 'https://b.example' }, 'https://b.example'],
  [{}, { MILLRACE_URL: '' }, undefined],
  [{}, {}, undefined],
])('serviceAddress reads %j and %j', (values, environment, address) => {
  expect(serviceAddress({ values, environment })).toBe(address);
});

test.each(['millrace.example', 'ftp://a.example', 'http:///x', 'http://'])('%s is not a service address', (service) => {
  expect(() => serviceAddress({ values: { service }, environment: {} })).toThrow(UsageError);
});

test('a persistent folder has its own keys, readable only by its owner', async () => {
  const path = join(folder, 'kept', 'data');
  const first = await openPersistentDataFolder(path);
  await first.close();
  expect(await openPersistentDataFolder(path)).toMatchObject({ path, key: first.key, renderKey: first.renderKey });
  expect((await stat(join(path, 'command-line-keys.json'))).mode & 0o777).toBe(0o600);
  await expect(openPersistentDataFolder(join(folder, 'key'))).rejects.toThrow('Check that it is a folder that you own');
});

test('a temporary folder is deleted when closed', async () => {
  const { path, key, close } = createTemporaryDataFolder();
  expect(key).toMatch(/^[\w-]{32}$/);
  await close();
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('keys come from the given file, then from the environment, then from files that it names', async () => {
  const file = join(folder, 'key');
  expect(await findCredentials('extraction', file, { MILLRACE_KEY: 'k', MILLRACE_RENDER_KEY: 'r' })).toEqual({
    key: 'from-file',
    renderKey: 'r',
  });
  expect(await findCredentials('render', file, { MILLRACE_KEY: 'k' })).toEqual({ key: 'k', renderKey: 'from-file' });
  expect(await findCredentials('none', undefined, { MILLRACE_KEY_FILE: file })).toEqual({ key: 'from-file' });
  expect(await findCredentials('none', undefined, {})).toEqual({});
  await expect(findCredentials('render', join(folder, 'none'), {})).rejects.toThrow('cannot be read');
});
