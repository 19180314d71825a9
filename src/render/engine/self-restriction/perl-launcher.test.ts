import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { findTool } from '../sandbox/system-tools.ts';
import { makeTestDirectory } from '../testing/test-media.ts';
import { perlLaunchCommand, writePerlLauncher } from './perl-launcher.ts';

const perl = findTool('perl');

it.runIf(process.platform === 'linux')('the script is readable by children regardless of the umask', () => {
  const directory = makeTestDirectory();
  const umask = process.umask(0o077);
  onTestFinished(() => {
    process.umask(umask);
    directory.remove();
  });
  expect(statSync(writePerlLauncher('perl', directory.path).script).mode & 0o777).toBe(0o644);
});

it.runIf(perl !== undefined)('a path that does not exist aborts the launch with an error that names it', () => {
  const directory = makeTestDirectory();
  onTestFinished(directory.remove);
  const files = { code: ['/nonexistent'], readable: [], writable: [] };
  const [command = '', ...args] = perlLaunchCommand(writePerlLauncher(perl ?? '', directory.path), files);
  const { status, stderr } = spawnSync(command, [...args, '/bin/true']);
  // Without Landlock, the launcher opens no paths.
  if (status !== 0) expect(stderr.toString()).toBe('open of /nonexistent failed: No such file or directory\n');
});
