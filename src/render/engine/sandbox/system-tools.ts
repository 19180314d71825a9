import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const toolFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** The POSIX shell that sandbox scripts run in. */
export const shell = '/bin/sh';

/** Runs a command and returns whether it succeeded. A command that hangs counts as failed. */
export type Probe = (command: readonly string[]) => Promise<boolean>;

/**
 * Returns the absolute path of a system tool; `undefined` if it is not installed. The service's `PATH` is not trusted.
 */
export function findTool(tool: string): string | undefined {
  return toolFolders.map((directory) => `${directory}/${tool}`).find((path) => existsSync(path));
}

/**
 * Timeout of a probe in milliseconds. Probes take only a few milliseconds, but a layer must not count as missing
 * because the machine is busy.
 */
const probeLimit = 15_000;

/** The default {@link Probe}. */
export async function commandSucceeds(command: readonly string[]): Promise<boolean> {
  const [file, ...args] = command;
  if (file === undefined || !existsSync(file)) return false;
  const child = spawn(file, args, { env: {}, stdio: 'ignore', timeout: probeLimit, killSignal: 'SIGKILL', cwd: '/' });
  try {
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch {
    // The command could not be started.
    return false;
  }
}

/** Quotes a word for a shell script. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
