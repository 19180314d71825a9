import { spawnSync } from 'node:child_process';

/** Long enough for downloads from a slow mirror. */
const INSTALL_TIMEOUT_MS = 600_000;

/** Returns why Debian's PostgreSQL cannot be installed on this machine; undefined if it can. */
export function installObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'installing it requires root';
  if (spawnSync('apt-get', ['--version']).error !== undefined) return 'this system has no apt-get to install it with';
  return undefined;
}

/**
 * Installs Debian's package `postgresql`.
 *
 * @throws Error if apt-get fails. Its output is on standard error.
 */
export function installPostgres(): void {
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'postgresql']]) {
    const { status, error } = spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      // The standard output of this program is reserved for the program that it runs.
      stdio: ['ignore', process.stderr, process.stderr],
      timeout: INSTALL_TIMEOUT_MS,
    });
    if (status !== 0) throw new Error(`apt-get ${args[0]} exited with ${status}`, { cause: error });
  }
}
