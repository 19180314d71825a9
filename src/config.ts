import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import ipaddr from 'ipaddr.js';
import { readPlanLimits } from './accounts/plan-limits.ts';
import { type PlanName, planNames, plans } from './contract/plans.ts';
import { StartError } from './contract/start-error.ts';
import { trimTrailing } from './contract/trim-trailing.ts';
import { readBreakerRules } from './egress/breaker-rules.ts';
import { readPaceRules } from './egress/pace.ts';
import { direct, readPlace, readPlacedProxy, readProxy } from './egress/proxies.ts';
import { defaultConnections } from './http/connections/descriptor-limit.ts';
import { platformSettings } from './platforms/index.ts';
import type { SettingTable } from './settings/setting.ts';
import type { StoragePlace } from './storage/open.ts';
import { readVisitorRate } from './web/visitors.ts';

/** A range of addresses, as `ipaddr.js` reads it. */
export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Where connections to host names of a pattern really go; for tests and the demo. */
export interface ConnectTo {
  /** A host name, `*`, or `*.` and a suffix. */
  readonly pattern: string;
  readonly origin: URL;
}

/** A key that the operator brings along. */
export interface SeedKey {
  readonly plan: PlanName;
  readonly key: string;
}

/** The parts of the service that a process plays. */
export const roles = ['api', 'render', 'worker'] as const;

/** A part of the service. */
export type Role = (typeof roles)[number];

/** One setting: how its text is read, what it is without one, and what it means. */
interface Setting<T> {
  readonly read: (text: string) => T;
  readonly fallback: () => T;
  /** What it means, and its default; the settings of platforms have a description instead. */
  readonly meaning: string;
}

const setting = <T>(meaning: string, fallback: () => T, read: (text: string) => T): Setting<T> => ({
  read,
  fallback,
  meaning,
});

/** Every setting, by the name of its environment variable. */
export const settings = {
  HOST: setting(
    'Address to listen on; default 127.0.0.1.',
    () => '127.0.0.1',
    (text) => text,
  ),
  PORT: setting('Port to listen on; 0 takes a free one; default 8080.', () => 8080, integer(0, 65_535)),
  ADMIN_HOST: setting(
    'Address that metrics and the admin API listen on. Metrics ask for no token: let nobody but yourself reach it; ' +
      'default 127.0.0.1.',
    () => '127.0.0.1',
    (text) => text,
  ),
  ADMIN_PORT: setting(
    'Port of metrics and the admin API; 0 takes a free one; default: none.',
    () => undefined,
    integer(0, 65_535),
  ),
  ADMIN_TOKEN: setting(
    'Token of 16 characters or more that the admin API asks for; default: no admin API.',
    () => undefined,
    secret,
  ),
  BASE_URL: setting('Public address of the extraction API; default: the listening address.', () => undefined, httpUrl),
  API_URL: setting('Public address of job creation; default: the listening address.', () => undefined, httpUrl),
  RENDER_URL: setting('Public address of execution, status and files; default as above.', () => undefined, httpUrl),
  ROLES: setting('Parts this process plays; default: api,render,worker.', () => [...roles], list(role)),
  DATA_DIR: setting(
    "Folder for the service's data, closed to other users at each start; default ./data.",
    () => resolve('data'),
    resolvePath,
  ),
  DATABASE_URL: setting(
    'PostgreSQL database that all nodes share: postgresql://user:password@host/name; default: embedded, in DATA_DIR.',
    () => undefined,
    databaseUrl,
  ),
  DATABASE_LISTEN_URL: setting(
    'Direct address of the same database, for notifications, where DATABASE_URL leads through a pooler; default: ' +
      'DATABASE_URL.',
    () => undefined,
    databaseUrl,
  ),
  STORAGE_URL: setting(
    'Where finished files go: file: and a path, or s3://bucket/prefix with the usual AWS_* variables; default: in DATA_DIR.',
    () => undefined,
    storagePlace,
  ),
  STORE_DOWNLOADS: setting(
    'How files in an S3-compatible store reach those who download them: send, through this service; redirect, from the ' +
      'store itself, which they then have to reach; default send.',
    () => 'send' as const,
    oneOf('send', 'redirect'),
  ),
  SCRUB_RATE: setting(
    'Bytes a second at which a worker reads stored files back to find damaged ones; 0: never; default 4000000 for a ' +
      'folder, and 0 for an S3-compatible store, where reads cost money.',
    () => undefined,
    integer(0, 10_000_000_000),
  ),
  SCRUB_INTERVAL: setting(
    'Seconds from one such check of a stored file to the next; default 21600.',
    () => 21_600,
    integer(1, 864_000),
  ),
  SIGNING_SECRETS: setting(
    'Secrets of 16 characters or more; the first seals, all open. Default: made once and kept in the database.',
    () => undefined,
    list(secret),
  ),
  WORKER_CONCURRENCY: setting('Jobs run at once; default: one a core.', availableParallelism, integer(1, 64)),
  WORKER_DISK_RESERVE: setting(
    'Bytes that must be free on the disk of DATA_DIR: with less, a worker takes up no jobs until there is room again; ' +
      'default 100000000.',
    () => 100_000_000,
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
  MAX_QUEUED_JOBS: setting(
    'Jobs that may wait; further ones fail at once; default 1000.',
    () => 1000,
    integer(0, 1_000_000),
  ),
  MAX_CONNECTIONS: setting(
    'Client connections open at once. When all are taken, idle and half-open ones are closed first; further clients get ' +
      '503 except at /health. Default: three quarters of the descriptor limit (ulimit -n) minus 256, at most ' +
      '20000.',
    defaultConnections,
    integer(1, 1_000_000),
  ),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    'Connections open at once from one address (IPv6: one /64 network). TRUSTED_PROXIES are exempt; requests ' +
      'they forward count for the address they name. Without TRUSTED_PROXIES, loopback is exempt. Default: a quarter of ' +
      'MAX_CONNECTIONS.',
    () => undefined,
    integer(1, 1_000_000),
  ),
  DRAIN_TIMEOUT: setting(
    'Seconds that running jobs and requests may take to end once the process is told to stop; then jobs are handed ' +
      'back and connections cut; default 20.',
    () => 20,
    integer(0, 3_600),
  ),
  DRAIN_DELAY: setting(
    'Seconds of these that callers are still let in, with 503 at /health and /health/ready, until a balancer has ' +
      'noticed; default 0.',
    () => 0,
    integer(0, 3_600),
  ),
  MARKETPLACE_HOST: setting(
    'Value that X-Marketplace-Host must have; default: any.',
    () => undefined,
    (text) => text,
  ),
  MARKETPLACE_PROXY_SECRET: setting(
    'Secret of 16 characters or more that a marketplace gateway shows in X-Marketplace-Proxy-Secret; its headers ' +
      'then name caller and plan of the extraction API in place of keys. Default: none.',
    () => undefined,
    secret,
  ),
  PLAN_LIMITS: setting(
    'JSON that changes what plans allow: ' +
      '{"BASIC":{"credits":500,"requestsPerSecond":1,"startsPerSecond":1,"jobsAtOnce":5}}.',
    () => plans,
    readPlanLimits,
  ),
  EXTRACTION_KEYS: setting('Keys of the extraction API to seed: PLAN:key, …', () => [], list(seedKey)),
  RENDER_KEYS: setting('Keys of the direct job API to seed: key, …', () => [], list(plainKey)),
  EGRESS_ALLOW: setting(
    'Address ranges allowed besides public ones: CIDR, …; a cloud metadata address only if it is named as a single ' +
      'address (/32, /128).',
    () => [],
    list(addressRange),
  ),
  EGRESS_CONNECT_TO: setting(
    'For tests and the demo: host-pattern=origin, …; connects there and keeps the Host header.',
    () => [],
    list(connectTo),
  ),
  EGRESS_PROXIES: setting(
    'Proxies by country: fr=http://user:password@host:port, …; http, https or socks5; credentials percent-encoded; ' +
      'worldwide=… where the country may be any.',
    () => [],
    list(readPlacedProxy),
  ),
  EGRESS_DEFAULT: setting(
    'Where requests without countryCode go out: direct, worldwide or a country of EGRESS_PROXIES; default direct.',
    () => direct,
    readPlace,
  ),
  RENDER_PROXY: setting('Proxy for the inputs of direct jobs; default: none.', () => undefined, readProxy),
  EGRESS_PACE: setting(
    'Extraction requests a second for each host and exit, and how many may come at once; off: any; default 10/20.',
    () => ({ rate: 10, burst: 20 }),
    readPaceRules,
  ),
  BREAKER: setting(
    'When a platform is left alone through an exit: share of failures in percent / of at least so many different ' +
      'requests of a minute / seconds until the next try; off: never; default 60/10/30.',
    () => ({ share: 60, requests: 10, pause: 30 }),
    readBreakerRules,
  ),
  ANSWER_CACHE: setting(
    "Bytes of memory for platforms' answers, kept for two minutes; 0 keeps none; default 64000000.",
    () => 64_000_000,
    integer(0, 64_000_000_000),
  ),
  RELAY_CONNECTIONS: setting(
    'Relay connections that one key may have open at once; default 32.',
    () => 32,
    integer(1, 10_000),
  ),
  ...platformSettings,
  LOG_LEVEL: setting(
    'trace, debug, info, warn, error or silent; default info.',
    () => 'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  WEB_KEY: setting(
    'Key of the extraction API that the page at / asks with for its visitors; it never leaves the service. Default: ' +
      'none, and the page says so.',
    () => undefined,
    plainKey,
  ),
  WEB_RATE: setting(
    'Questions a minute of one visitor of the page, and how many may come at once; default 30/20.',
    () => ({ perMinute: 30, burst: 20 }),
    readVisitorRate,
  ),
  TRUSTED_PROXIES: setting(
    'Address ranges of proxies before the service, which X-Forwarded-For is believed of: CIDR, …; default: none.',
    () => [],
    list(proxyRange),
  ),
} satisfies Record<string, Setting<unknown> | SettingTable[string]>;

/** The checked settings of a process. */
export type Config = {
  readonly [Name in keyof typeof settings]:
    | ReturnType<(typeof settings)[Name]['read']>
    | ReturnType<(typeof settings)[Name]['fallback']>;
};

/** A setting has a value that cannot be used. The message names every one and what it may be. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

/**
 * Reads every setting once: from the environment, else from a `.env` file in the working directory. `NAME_FILE` in the
 * environment names a file that holds the value of `NAME`, for secrets that are handed over as files.
 *
 * @throws ConfigError
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env, envFile = '.env'): Config {
  const fromFile = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { read, fallback }] of Object.entries(settings)) {
    try {
      const text = (secretFile(environment, name) ?? environment[name] ?? fromFile[name] ?? '').trim();
      values[name] = text === '' ? fallback() : read(text);
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(`These settings cannot be used:\n  ${faults.join('\n  ')}`);
  // The loop above has given each name of the table the value its own setting reads.
  return values as Config;
}

function secretFile(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = environment[`${name}_FILE`];
  if (path === undefined || path === '') return undefined;
  if (environment[name]) throw new Error(`must be set once: itself, or as a file by ${name}_FILE`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`must be readable at ${path}, which ${name}_FILE names`, { cause: error });
  }
}

function integer(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

function list<T>(read: (text: string) => T) {
  return (text: string): T[] => {
    const parts = text.split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '').map(read);
  };
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('must be an http or https address');
  return url.href.replace(/\/$/, '');
}

function databaseUrl(text: string): string {
  if (!/^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? '')) throw new Error('must begin with postgresql://');
  return text;
}

function storagePlace(text: string): StoragePlace {
  if (text.startsWith('file:')) return { folder: resolvePath(text.slice('file:'.length).replace(/^\/\//, '')) };
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === undefined) throw new Error('must begin with file: or be s3://bucket/prefix');
  const prefix = trimTrailing(path, '/');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}

function resolvePath(text: string): string {
  return resolve(text);
}

function role(text: string): Role {
  const found = roles.find((name) => name === text);
  if (found === undefined) throw new Error(`must be a list of ${roles.join(', ')}`);
  return found;
}

function secret(text: string): string {
  if (text.length < 16) throw new Error('must have at least 16 characters');
  return text;
}

function plainKey(text: string): string {
  if (!/^[\x21-\x7e]{8,256}$/.test(text)) throw new Error('must hold keys of 8 to 256 visible ASCII characters');
  return text;
}

function seedKey(text: string): SeedKey {
  const colon = text.indexOf(':');
  const plan = planNames.find((name) => name === text.slice(0, colon).toUpperCase());
  if (plan === undefined) throw new Error(`must be a list of PLAN:key with a plan of ${planNames.join(', ')}`);
  return { plan, key: plainKey(text.slice(colon + 1)) };
}

function addressRange(text: string): AddressRange {
  try {
    return ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`);
  } catch (error) {
    throw new Error(`must be a list of address ranges such as 10.0.0.0/8 (${text} is none)`, { cause: error });
  }
}

function proxyRange(text: string): string {
  addressRange(text);
  return text;
}

function connectTo(text: string): ConnectTo {
  const equals = text.indexOf('=');
  const pattern = text.slice(0, equals).toLowerCase();
  const origin = URL.parse(text.slice(equals + 1));
  if (equals < 1 || origin === null || !/^https?:$/.test(origin.protocol)) {
    throw new Error('must be a list of host-pattern=origin such as *=http://127.0.0.1:9000');
  }
  return { pattern, origin };
}

function oneOf<Word extends string>(...words: readonly Word[]) {
  return (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return found;
  };
}
