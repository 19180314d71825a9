import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { findTool } from '../sandbox/system-tools.ts';
import { makeTestDirectory } from '../testing/test-media.ts';
import { perlLaunchCommand, writePerlLauncher } from './perl-launcher.ts';

const perl = findTool('perl');

it.runIf(process.platform === 'linux')('the script can be read by children, whatever the umask', () => {
  const directory = makeTestDirectory();
  const umask = process.umask(0o077);
  onTestFinished(() => {
    process.umask(umask);
    directory.remove();
  });
  expect(statSync(writePerlLauncher('perl', directory.path).script).mode & 0o777).toBe(0o644);
});

it.runIf(perl !== undefined)('a path that does not exist ends the launch with its name', () => {
  const directory = makeTestDirectory();
  onTestFinished(directory.remove);
  const files = { code: ['/nonexistent'], readable: [], writable: [] };
  const [command = '', ...args] = perlLaunchCommand(writePerlLauncher(perl ?? '', directory.path), files);
  const { status, stderr } = spawnSync(command, [...args, '/bin/true']);
  // Without Landlock there is nothing that it would open.
  if (status !== 0) expect(stderr.toString()).toBe('open of /nonexistent failed: No such file or directory\n');
});
