import { describe, expect, it, onTestFinished } from 'vitest';
import { visibleCode } from '../self-restriction/visible-files.ts';
import { makeTestDirectory } from '../testing/test-media.ts';
import { createSandbox } from './sandbox.ts';
import { findTool, type Probe } from './system-tools.ts';

const limits = { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 60, fileBytes: 1024 ** 3 };
const linux = process.platform === 'linux';
const allRestrictions = { landlock: 7, systemCalls: true };

/** Simulates a system that refuses every command that contains one of these words. */
const without =
  (...words: string[]): Probe =>
  async (command) =>
    !words.some((word) => command.some((part) => part.includes(word)));

function sandboxOf(probe: Probe, ffi = true) {
  const scratch = makeTestDirectory();
  onTestFinished(scratch.remove);
  return createSandbox({ limits, scratch: scratch.path, parent: scratch.path, code: visibleCode(), ffi, probe });
}

const files = { code: visibleCode(), readable: [], writable: [] };
const names = (missing: readonly string[]) => missing.map((layer) => layer.split(':')[0]);

describe.runIf(linux)('a sandbox on a system with all layers', () => {
  it('sets limits, enters namespaces, builds the view, drops privileges, then starts Node', async () => {
    const sandbox = await sandboxOf(async () => true);
    const command = sandbox.command(['child.ts'], files, sandbox.ownUsers ? 62_000 : undefined).join(' ');
    expect(sandbox.missingLayers(allRestrictions)).toEqual([]);
    expect(command).toMatch(/^\/bin\/sh -c .*ulimit -v 4194304 .*ulimit -f 2097152 .*exec "\$@" sh /);
    expect(command).toMatch(
      /setpriv --pdeathsig KILL -- .*unshare --net --ipc --uts --mount --pid --fork --kill-child -- .*(pivot_root|view\.pl)/s,
    );
    expect(command).toMatch(/--no-new-privs --bounding-set=-all --inh-caps=-all -- .*launch\.(pl|js) .* child\.ts$/s);
  });

  it('keeps all layers without Perl, and launches with Node', async () => {
    const sandbox = await sandboxOf(without('/perl'));
    expect(sandbox.command(['child.ts'], files).join(' ')).toMatch(
      /pivot_root.*--inh-caps=-all -- .*launch\.js .* child\.ts$/s,
    );
    expect(sandbox.missingLayers(allRestrictions)).toEqual(
      (await sandboxOf(async () => true)).missingLayers(allRestrictions),
    );
  });

  it('uses a user namespace if the service is not root', async () => {
    const sandbox = await sandboxOf(async (command) => !command.includes('--net') || command.includes('--user'));
    expect(sandbox.missingLayers(allRestrictions)).toEqual([]);
    expect(sandbox.command(['child.ts'], files).join(' ')).toContain('unshare --user --map-root-user --net --ipc');
  });

  it.each([
    ['unshare', ['network namespace', 'process namespace', 'file system view']],
    ['--mount', ['process namespace', 'file system view']],
    [findTool('perl') === undefined ? 'tmpfs' : 'view.pl', ['file system view']],
    ['ulimit -v', ['resource limits']],
    ['--bounding-set', ['file system view', 'privileges']],
    ['setpriv', ['parent death signal', 'file system view', 'privileges']],
  ])('reports the layers that are missing without %s', async (word, expectedLayers) => {
    const { missingLayers } = await sandboxOf(without(word));
    expect(names(missingLayers(allRestrictions)).filter((layer) => layer !== 'own user')).toEqual(expectedLayers);
  });

  it("reports what the kernel lacks, based on the children's reports", async () => {
    const { missingLayers } = await sandboxOf(async () => true);
    expect(missingLayers({ landlock: 0, systemCalls: false })).toEqual([
      'Landlock: only the file system view prevents children from reading other files',
      'system call filter: children can make any system call, and open sockets that no namespace confines (vsock)',
    ]);
  });

  it('skips a limit that the system does not support', async () => {
    const command = (await sandboxOf(without('ulimit -v'))).command(['child.ts'], files).join(' ');
    expect(command).not.toContain('ulimit -v');
    expect(command).toContain('ulimit -c 0');
  });
});

it('an unsandboxed child starts on a system without any layer, and the consequences are reported', async () => {
  const sandbox = await sandboxOf(async () => false, false);
  expect(sandbox.command(['child.ts'], files)).toEqual([process.execPath, 'child.ts']);
  const missing = sandbox.missingLayers({ landlock: 0, systemCalls: false });
  expect(names(missing).filter((layer) => layer !== 'own user')).toEqual([
    'resource limits',
    'process limit',
    'parent death signal',
    'network namespace',
    'process namespace',
    'file system view',
    'privileges',
    'Landlock',
    'system call filter',
  ]);
  expect(missing.join('\n')).toContain('children can read and write all files that the service can');
});
