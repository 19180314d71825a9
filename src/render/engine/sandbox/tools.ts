import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const searched = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** The POSIX shell that sandbox scripts run in. */
export const shell = '/bin/sh';

/** Runs a command and returns whether it succeeded. A command that hangs has failed. */
export type Probe = (command: readonly string[]) => boolean;

/** Absolute path of a system tool; `undefined` if it is not installed. The service's `PATH` is not trusted. */
export function findTool(tool: string): string | undefined {
  return searched.map((directory) => `${directory}/${tool}`).find((path) => existsSync(path));
}

/** Milliseconds. Probes take a few, but a layer must not count as missing because the machine is busy. */
const probeLimit = 15_000;

/** The default {@link Probe}. Blocks the calling process until the command has ended. */
export function succeeds(command: readonly string[]): boolean {
  const [file, ...args] = command;
  if (file === undefined || !existsSync(file)) return false;
  return spawnSync(file, args, { env: {}, stdio: 'ignore', timeout: probeLimit, cwd: '/' }).status === 0;
}
