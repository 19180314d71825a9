import { spawnSync } from 'node:child_process';

/** Downloads take as long as a slow mirror needs. */
const INSTALL_TIMEOUT_MS = 600_000;

/** Why Debian's PostgreSQL cannot be installed here; undefined where it can. */
export function installObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'installing it takes root';
  if (spawnSync('apt-get', ['--version']).error !== undefined) return 'there is no apt-get to install it with';
  return undefined;
}

/**
 * Installs Debian's package `postgresql`.
 *
 * @throws Error when apt-get fails; its words went to the standard error output.
 */
export function installPostgres(): void {
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'postgresql']]) {
    const { status, error } = spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      // What this program prints is left to what it runs.
      stdio: ['ignore', process.stderr, process.stderr],
      timeout: INSTALL_TIMEOUT_MS,
    });
    if (status !== 0) throw new Error(`apt-get ${args[0]} ended with ${status}`, { cause: error });
  }
}
