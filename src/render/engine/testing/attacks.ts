import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  appendFileSync,
  fstatSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';

/** Targets of hostile code in a child. */
export interface Targets {
  /** Files and folders that it must not read. */
  readonly secrets: readonly string[];
  /** Files that it must not change, and files that it must not create. */
  readonly forbidden: readonly string[];
  /** Other processes, including the service, by their IDs outside the namespace. */
  readonly processes: readonly number[];
  /** The service's listeners: a loopback port, a unix socket by path, and one by abstract name. */
  readonly port: number;
  readonly socket: string;
  readonly abstractSocket: string;
  /** The child's own folders. */
  readonly inputs: string;
  readonly outputs: string;
}

/** Outcome of each attack: the error that stopped it, or what it gained, which begins with `GAINED`. */
export type Findings = Record<string, string>;

function attempt(act: () => unknown): string {
  try {
    return describeGain(act());
  } catch (error) {
    return stoppedBy(error);
  }
}

async function attemptAsync(act: () => Promise<unknown>): Promise<string> {
  try {
    return describeGain(await act());
  } catch (error) {
    return stoppedBy(error);
  }
}

function describeGain(what: unknown): string {
  return `GAINED ${String(what).slice(0, 60)}`;
}

function stoppedBy(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Runs attacks on files in the calling thread: the main thread, or a Worker. */
export function attackFiles(targets: Targets): Findings {
  const findings: Findings = {};
  for (const path of targets.secrets) {
    findings[`read ${path}`] = attempt(() => readFileSync(path, 'latin1'));
    findings[`list ${path}`] = attempt(() => readdirSync(path).join());
  }
  for (const path of targets.forbidden) findings[`write ${path}`] = attempt(() => appendFileSync(path, 'x'));
  return findings;
}

/** Runs the same attacks on the thread pool. */
export async function attackFilesAsync(targets: Targets): Promise<Findings> {
  const findings: Findings = {};
  for (const path of targets.secrets) {
    findings[`read ${path}`] = await attemptAsync(() => readFile(path, 'latin1'));
    findings[`list ${path}`] = await attemptAsync(async () => (await readdir(path)).join());
  }
  for (const path of targets.forbidden) findings[`write ${path}`] = await attemptAsync(() => appendFile(path, 'x'));
  return findings;
}

/** Attacks with the means of Node itself: signals, sockets, programs and links. */
export async function attackSystem(targets: Targets): Promise<Findings> {
  const findings: Findings = {};
  // No signal is sent; this only tests whether one could be sent.
  for (const pid of targets.processes) findings[`signal ${pid}`] = attempt(() => process.kill(pid, 0));
  findings['connect to loopback'] = await tryConnect({ host: '127.0.0.1', port: targets.port });
  findings['connect to a unix socket'] = await tryConnect({ path: targets.socket });
  findings['connect to an abstract unix socket'] = await tryConnect({ path: `\0${targets.abstractSocket}` });
  findings['send a datagram'] = await trySend(targets.port);
  findings['use an inherited descriptor'] = attempt(inheritedFiles);
  findings['run a shell'] = attempt(() => outcomeOf('/bin/sh', ['-c', 'exit 0']));
  return findings;
}

/**
 * Lists files and folders that are open in this process. The event loop opens neither, and the root folder is ignored
 * because Node itself may open it.
 *
 * @throws Error if there are none.
 */
function inheritedFiles(): string {
  const root = statSync('/');
  const descriptors = Array.from({ length: 500 }, (_, at) => at + 4).filter((descriptor) => {
    try {
      const status = fstatSync(descriptor);
      if (status.dev === root.dev && status.ino === root.ino) return false;
      return status.isFile() || status.isDirectory();
    } catch {
      return false;
    }
  });
  if (descriptors.length > 0) return descriptors.join();
  throw new Error('none');
}

/** Uses what a child is allowed to use, as a control for the attacks. */
export async function useWorkspace({ inputs, outputs }: Targets): Promise<Findings> {
  return {
    'read an input': attempt(() => readdirSync(inputs).map((name) => readFileSync(`${inputs}/${name}`, 'latin1'))),
    'write a file': attempt(() => writeFileSync(`${outputs}/main`, 'main')),
    'write a file later': await attemptAsync(() => writeFile(`${outputs}/pool`, 'pool')),
  };
}

/** Creates traps that the service must detect, if the child can create them at all. */
export function plantTraps({ outputs, secrets: [secret = '/'] }: Targets): Findings {
  return {
    'make a symbolic link': attempt(() => symlinkSync(secret, `${outputs}/result.link`)),
    'make a hard link': attempt(() => linkSync(secret, `${outputs}/result.hard`)),
    'make a folder': attempt(() => mkdirSync(`${outputs}/folder`)),
  };
}

function outcomeOf(file: string, args: readonly string[]): string {
  const { error, status } = spawnSync(file, args, { timeout: 5000 });
  if (error !== undefined) throw error;
  return `exit code ${status}`;
}

function tryConnect(options: { host: string; port: number } | { path: string }): Promise<string> {
  return attemptAsync(
    () =>
      new Promise((resolve, reject) => {
        const socket = connect(options, () => resolve('a connection'));
        socket.on('error', reject);
        socket.setTimeout(5000, () => reject(new Error('no response')));
      }),
  );
}

function trySend(port: number): Promise<string> {
  return attemptAsync(
    () =>
      new Promise((resolve, reject) => {
        const socket = createSocket('udp4');
        socket.on('error', reject);
        socket.send('x', port, '127.0.0.1', (error) => (error === null ? resolve('a datagram') : reject(error)));
      }),
  );
}
