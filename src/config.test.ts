import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, settingsFrom } from './config.ts';
import { ConfigError } from './settings/config-error.ts';

test('readConfig works without any setting', () => {
  expect(readConfig({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 8080,
    ADMIN_HOST: '127.0.0.1',
    BASE_URL: undefined,
    ROLES: ['api', 'render', 'worker'],
    MAX_QUEUED_JOBS: 1000,
    DRAIN_TIMEOUT: 20,
    DRAIN_DELAY: 0,
    EXTRACTION_KEYS: [],
    EGRESS_ALLOW: [],
    EGRESS_PROXIES: [],
    EGRESS_DEFAULT: 'direct',
    RENDER_PROXY: undefined,
    EGRESS_PACE: { rate: 10, burst: 20 },
    BREAKER: { failurePercentage: 60, requests: 10, pause: 30 },
    WEB_KEY: undefined,
    WEB_RATE: { perMinute: 30, burst: 20 },
    TRUSTED_PROXIES: [],
  });
});

test('readConfig reads lists, addresses and keys', () => {
  const config = readConfig({
    RENDER_URL: 'https://render.example/',
    EXTRACTION_KEYS: 'pro:first-key, MEGA:second:key',
    RENDER_KEYS: 'third-key',
    EGRESS_ALLOW: '10.0.0.0/8, ::1',
    EGRESS_CONNECT_TO: '*.cdn.example=http://127.0.0.1:9000',
    EGRESS_PROXIES: 'fr=http://a:b%2Cc@one.example:3128, fr=socks5://two.example, worldwide=https://three.example',
    EGRESS_PACE: 'off',
    WEB_KEY: 'page-key',
    WEB_RATE: '6/2',
    TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
  });
  expect(config.RENDER_URL).toBe('https://render.example');
  expect(config.EXTRACTION_KEYS).toEqual([
    { plan: 'PRO', key: 'first-key' },
    { plan: 'MEGA', key: 'second:key' },
  ]);
  expect(config.EGRESS_ALLOW.map(([range, bits]) => `${range}/${bits}`)).toEqual(['10.0.0.0/8', '::1/128']);
  expect(config.EGRESS_PROXIES).toMatchObject([
    { country: 'FR', server: { host: 'one.example', port: 3128, credentials: { user: 'a', password: 'b,c' } } },
    { country: 'FR', server: { host: 'two.example', port: 1080 } },
    { server: { host: 'three.example', port: 443 } },
  ]);
  expect(config.EGRESS_PACE).toBeUndefined();
  expect([config.WEB_KEY, config.WEB_RATE]).toEqual(['page-key', { perMinute: 6, burst: 2 }]);
  expect(config.TRUSTED_PROXIES).toEqual(['10.0.0.1', 'fd00::/8']);
  expect(config.EGRESS_CONNECT_TO).toMatchObject([{ pattern: '*.cdn.example', origin: { port: '9000' } }]);
});

test("readConfig reads the operator's changes to the plans", () => {
  const { BASIC, PRO } = readConfig({ PLAN_LIMITS: '{"BASIC":{"credits":7}}' }).PLAN_LIMITS;
  expect([BASIC.credits, BASIC.requestsPerSecond, PRO.credits]).toEqual([7, 1, 10_000]);
  expect(() => readConfig({ PLAN_LIMITS: '{"GIGA":{}}' })).toThrow('PLAN_LIMITS contains the unknown plan GIGA');
});

test('readConfig prefers the environment to the file and treats an empty value as unset', () => {
  const file = { path: '/srv/.env', values: { PORT: '1000', LOG_LEVEL: 'debug' } };
  expect(readConfig({ PORT: '2000', LOG_LEVEL: '' }, file)).toMatchObject({ PORT: 2000, LOG_LEVEL: 'info' });
  expect(readConfig({}, file)).toMatchObject({ PORT: 1000, LOG_LEVEL: 'debug' });
});

test('settingsFrom names the settings that come from the file, and no other variables of it', () => {
  const values = { PORT: '1000', LOG_LEVEL: 'debug', HOST: '', ADMIN_TOKEN: 'a', NODE_OPTIONS: '-r ./x.cjs' };
  expect(settingsFrom({ path: '/srv/.env', values }, { PORT: '', ADMIN_TOKEN_FILE: '/token' })).toEqual(['LOG_LEVEL']);
});

test('readConfig reads a setting from the file in NAME_FILE, and from one source only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-config-'));
  const file = join(folder, 'token');
  await writeFile(file, 'a-token-of-the-admin\n');
  expect(readConfig({ ADMIN_TOKEN_FILE: file }).ADMIN_TOKEN).toBe('a-token-of-the-admin');
  expect(readConfig({ ADMIN_TOKEN_FILE: '' }).ADMIN_TOKEN).toBeUndefined();
  expect(() => readConfig({ ADMIN_TOKEN: 'another-token-there', ADMIN_TOKEN_FILE: file })).toThrow(
    'ADMIN_TOKEN must be set only once',
  );
  expect(() => readConfig({ ADMIN_TOKEN_FILE: join(folder, 'none') })).toThrow('ADMIN_TOKEN must be readable');
  await rm(folder, { recursive: true });
});

test('readConfig names every invalid setting and its valid values', () => {
  const wrong = {
    PORT: '80a',
    BASE_URL: 'ftp://a',
    ROLES: 'api,queen',
    SIGNING_SECRETS: 'short',
    EXTRACTION_KEYS: 'GOLD:some-key',
    RENDER_KEYS: 'a b',
    EGRESS_ALLOW: '10.0.0.0/99',
    EGRESS_CONNECT_TO: 'nowhere',
    EGRESS_PROXIES: 'zz=http://a',
    EGRESS_DEFAULT: 'nowhere',
    RENDER_PROXY: 'ftp://a',
    EGRESS_PACE: 'fast',
    BREAKER: 'on',
    STORAGE_URL: 'ftp://a',
    DATABASE_LISTEN_URL: 'mysql://a',
    STORE_DOWNLOADS: 'mail',
    LOG_LEVEL: 'loud',
  };
  try {
    readConfig(wrong);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    for (const name of Object.keys(wrong)) expect((error as Error).message).toContain(`\n  ${name} must`);
  }
});
