import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createLauncher, type Launch, type Launcher } from '../sandbox/launcher.ts';
import { commandSucceeds } from '../sandbox/system-tools.ts';
import { engineProgram } from '../self-restriction/visible-files.ts';
import type { Findings, Targets } from './attacks.ts';
import { bundlePrograms } from './bundle-programs.ts';
import { childrenOf } from './processes.ts';

/**
 * A service whose media engine is taken over. Launches two hostile children in the same way as the engine, and has one
 * of them attack the service, its files, and the other child. Prints the outcomes as JSON.
 *
 * Usage: run-hostile-child.ts [no-ffi] [no-namespaces] [no-perl]
 */
const disabledLayers = new Set(process.argv.slice(2));

const folder = mkdtempSync(join(tmpdir(), 'millrace-takeover-'));
const programs = join(folder, 'programs');
const sharedMemoryPath = existsSync('/dev/shm') ? `/dev/shm/millrace-takeover-${process.pid}` : join(folder, 'shared');

/** Creates a file and its parent folders. */
function file(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

interface Child {
  readonly process: ChildProcess;
  readonly launch: Launch;
  /** Resolves to its next message. */
  next(): Promise<Record<string, unknown>>;
}

/** Starts a hostile child and waits until it is ready: confined, but without having read its targets. */
async function start(launcher: Launcher): Promise<Child & { readonly ready: object }> {
  const launch = launcher.launch(join(programs, 'hostile-child.js'), (parent) => [`${parent}`]);
  const [program = '', ...args] = launch.command;
  const child = spawn(program, args, {
    cwd: launch.directory,
    env: launch.env,
    stdio: ['pipe', 'inherit', 'inherit', 'pipe', ...launch.descriptors],
    detached: true,
  });
  const lines = createInterface({ input: child.stdio[3] as Readable })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the hostile child has ended');
    return JSON.parse(value);
  };
  const ready = await next();
  return { process: child, launch, next, ready };
}

/** Returns the process ID, outside the namespace, of the Node process at the end of a child's command line. */
function nodeOf(child: ChildProcess): number {
  let pid = child.pid ?? 0;
  for (let [inside] = childrenOf(pid); inside !== undefined; [inside] = childrenOf(pid)) pid = inside;
  return pid;
}

/** Returns the kernel's status of every thread of a process. */
function threadsOf(pid: number): Record<string, string>[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const lines = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
  });
}

const server = createServer().listen(0, '127.0.0.1');
const socket = join(folder, 'service.sock');
const abstractSocket = `millrace-takeover-${process.pid}`;
const unixServers = [createServer().listen(socket), createServer().listen(`\0${abstractSocket}`)];
await Promise.all([server, ...unixServers].map((each) => once(each, 'listening')));
chmodSync(socket, 0o777);
const address = server.address();
const port = address !== null && typeof address === 'object' ? address.port : 0;

await bundlePrograms(['hostile-child', 'hostile-worker'], programs);
const workspaces = join(folder, 'data/engine');
mkdirSync(workspaces, { recursive: true });
const launcher = await createLauncher({
  code: [programs],
  limits: { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 60, fileBytes: 10_000_000 },
  directory: workspaces,
  ...(disabledLayers.has('no-ffi') ? { ffi: false } : {}),
  probe: async (command) =>
    !(disabledLayers.has('no-namespaces') && command.some((part) => part.endsWith('/unshare'))) &&
    !(disabledLayers.has('no-perl') && command.some((part) => part.endsWith('/perl'))) &&
    (await commandSucceeds(command)),
});
writeFileSync(sharedMemoryPath, 'shared memory of others');
const secrets = [
  file('project/.env', 'SECRET=1'),
  file('secrets/signing-secrets', 'of SIGNING_SECRETS_FILE'),
  file('data/files/result.mp4', 'a stored file'),
  file('data/database/base', 'the database'),
  file('data/work/other-job/input', 'the input of another job'),
  sharedMemoryPath,
  folder,
  '/etc/passwd',
  '/tmp',
  '/root',
  '/home',
  '/sys',
  '/run',
  '/proc',
  `/proc/${process.pid}/environ`,
  '/proc/self/root/etc/passwd',
  process.cwd(),
];

const victim = await start(launcher);
const hostile = await start(launcher);
writeFileSync(join(victim.launch.workspace.outputs, 'result'), 'the result of another child');
const input = file('data/work/own-job/input.mp4', 'media');
await hostile.launch.workspace.linkInput(0, input);
const victimPid = nodeOf(victim.process);
const targets: Targets = {
  secrets: [
    ...secrets,
    `/proc/${victimPid}/root`,
    `/proc/${victimPid}/mem`,
    `/proc/${victimPid}/environ`,
    `/proc/${victim.process.pid}/root`,
    victim.launch.workspace.outputs,
    join(victim.launch.workspace.outputs, 'result'),
  ],
  forbidden: [
    engineProgram('child'),
    join(programs, 'hostile-child.js'),
    hostile.launch.workspace.inputPath(0, input),
    join(hostile.launch.workspace.inputs, 'planted'),
    join(folder, 'data/files/result.mp4'),
    join(folder, 'data/work/own-job/input.mp4'),
    join(victim.launch.workspace.outputs, 'planted'),
    '/planted',
    '/tmp/millrace-planted',
    '/dev/shm/millrace-planted',
    sharedMemoryPath,
  ],
  processes: [process.pid, victimPid],
  port,
  socket,
  abstractSocket,
  inputs: hostile.launch.workspace.inputs,
  outputs: hostile.launch.workspace.outputs,
};
const before = threadsOf(nodeOf(hostile.process));
hostile.process.stdin?.write(`${JSON.stringify(targets)}\n`);
const answer = await hostile.next();
const report = {
  user: process.getuid?.(),
  ready: hostile.ready,
  missing: launcher.missingLayers(hostile.ready as never),
  users: [process.getuid?.(), ...[victim, hostile].map((child) => threadsOf(nodeOf(child.process))[0]?.Uid)],
  threads: [...before, ...threadsOf(nodeOf(hostile.process))],
  answer: answer as { findings?: Record<string, Findings> },
  victimAlive: victim.process.exitCode === null && victim.process.signalCode === null,
};
for (const { process: child } of [victim, hostile]) {
  process.kill(-(child.pid ?? 0), 'SIGKILL');
}
for (const each of [server, ...unixServers]) each.close();
await launcher.close();
rmSync(folder, { recursive: true, force: true });
rmSync(sharedMemoryPath, { force: true });
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`, () => process.exit(0));
