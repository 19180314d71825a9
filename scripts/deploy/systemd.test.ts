import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, settings } from '../../src/config.ts';

const unit = readFileSync(new URL('../../deploy/systemd/millrace.service', import.meta.url), 'utf8');
const options = new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
const environment = Object.fromEntries(
  (options.get('Environment') ?? '').split(' ').map((pair) => pair.split('=', 2) as [string, string]),
);
/** Whether this machine has systemd's tool. It needs no running systemd. */
const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;

describe('millrace.service', () => {
  test('has only settings that exist, and stores its data in its state directory', () => {
    expect(Object.keys(environment).filter((name) => !(name in settings))).toEqual(['NODE_ENV']);
    expect(environment.DATA_DIR).toBe(`/var/lib/${options.get('StateDirectory')}`);
  });

  test('starts the program that the package contains', () => {
    const { name } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      name: string;
    };
    expect(options.get('ExecStart')).toMatch(new RegExp(` /opt/millrace/node_modules/${name}/dist/bin/service\\.js$`));
  });

  test('waits longer for the service to stop than the service waits for its jobs', () => {
    const { DRAIN_TIMEOUT } = readConfig({});
    expect(Number(options.get('TimeoutStopSec'))).toBeGreaterThan(DRAIN_TIMEOUT + 10);
  });

  test('has no capability, gains no privileges, and has a limit of processes', () => {
    expect(options.get('CapabilityBoundingSet')).toBe('');
    expect(options.get('NoNewPrivileges')).toBe('yes');
    expect(options.get('ProtectSystem')).toBe('strict');
    expect(Number(options.get('TasksMax'))).toBeGreaterThan(0);
  });

  test('lets the engine make namespaces, and V8 compile code', () => {
    for (const name of ['RestrictNamespaces', 'MemoryDenyWriteExecute']) expect(options.has(name)).toBe(false);
  });
});

describe.runIf(hasSystemd)('systemd-analyze (skipped where it is not installed)', () => {
  function analyze(...parameters: string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-unit-'));
    try {
      const file = join(folder, 'millrace.service');
      // It reports programs that are not installed.
      writeFileSync(file, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/sh'));
      return spawnSync('systemd-analyze', [...parameters, file], { encoding: 'utf8', timeout: 60_000 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test('accepts the unit', () => {
    const { status, stderr } = analyze('verify');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('rates its exposure as low', () => {
    // In tenths: 10 is completely exposed.
    expect(analyze('security', '--offline=true', '--threshold=30').status).toBe(0);
  });
});
