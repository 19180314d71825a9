import { describe, expect, it } from 'vitest';
import { createSandbox, type Probe } from './sandbox.ts';

const limits = { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 60, fileBytes: 1024 ** 3 };
const linux = process.platform === 'linux';

/** A system that refuses every command in which one of these words stands. */
const without =
  (...words: string[]): Probe =>
  (command) =>
    !words.some((word) => command.some((part) => part.includes(word)));

const missing = (probe: Probe, data: string | undefined = '/data') => createSandbox(limits, data, probe).missing;

describe.runIf(linux)('on a system with all layers', () => {
  it('sets limits, then leaves the network, then gives up privileges, in one process', () => {
    const { wrap, missing } = createSandbox(limits, '/data', () => true);
    const command = wrap(['node', 'child.ts']).join(' ');
    expect(missing).toEqual([]);
    expect(command).toMatch(/^\/bin\/sh -c .*ulimit -v 4194304 .*ulimit -f 2097152 .*exec "\$@" sh /);
    expect(command).toMatch(/unshare --net --mount -- .*setpriv --pdeathsig KILL .* -- node child\.ts$/);
    // A fork would leave a process between the service and the child, and killing the one would not kill the other.
    expect(command).not.toContain('--fork');
  });

  it('takes a user namespace where the service is not root', () => {
    const probe: Probe = (command) => !command.includes('--net') || command.includes('--user');
    const sandbox = createSandbox(limits, '/data', probe);
    expect(sandbox.missing).toEqual([]);
    expect(sandbox.wrap(['node']).join(' ')).toContain('unshare --user --map-root-user --net --mount --');
  });

  it('names each layer that is missing', () => {
    expect(missing(without('unshare'))).toEqual([
      expect.stringMatching(/^network: /),
      expect.stringMatching(/^file system: /),
    ]);
    expect(missing(without('--mount'))).toEqual([expect.stringMatching(/^file system: /)]);
    expect(missing(without('tmpfs'))).toEqual([expect.stringMatching(/^file system: /)]);
    expect(missing(without('ulimit -v'))).toEqual([expect.stringMatching(/^resource limits: memory/)]);
    expect(missing(without('--bounding-set'))).toEqual([expect.stringMatching(/^privileges: /)]);
    expect(missing(without('setpriv'))).toEqual([
      expect.stringMatching(/^parent death signal: /),
      expect.stringMatching(/^privileges: /),
    ]);
  });

  it('says that files are open to children when it is told no data directory', () => {
    expect(createSandbox(limits, undefined, () => true).missing).toEqual([expect.stringMatching(/^file system: /)]);
  });

  it('leaves out a limit that the system does not know', () => {
    const { wrap } = createSandbox(limits, '/data', without('ulimit -v'));
    expect(wrap(['node']).join(' ')).not.toContain('ulimit -v');
    expect(wrap(['node']).join(' ')).toContain('ulimit -c 0');
  });
});

it('starts the child bare on a system that has nothing, and says all that is missing', () => {
  const sandbox = createSandbox(limits, '/data', () => false);
  expect(sandbox.wrap(['node', 'child.ts'])).toEqual(['node', 'child.ts']);
  expect(sandbox.missing.map((layer) => layer.split(':')[0])).toEqual([
    'resource limits',
    'network',
    'file system',
    'parent death signal',
    'privileges',
  ]);
});
