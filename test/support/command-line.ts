import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environmentOf } from './environment.ts';

/** The program under test, independent of the working folder. */
export const program = fileURLToPath(new URL('../../dist/bin/millrace.js', import.meta.url));
const hostProgram = fileURLToPath(new URL('../../src/cli/testing/command-host.ts', import.meta.url));

/** Options of a command. */
interface CommandOptions {
  /** Its whole environment, except for PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working folder. */
  readonly cwd: string;
  /** Its standard input. */
  readonly input?: string;
  /** Maximum milliseconds; default: 180,000. */
  readonly timeout?: number;
}

/** Options of a command with its own process. */
interface ProcessOptions extends CommandOptions {
  /** Called with a function that signals the running program. */
  readonly meanwhile?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** Result of a command. */
interface CommandResult {
  /** Exit code; null if a signal killed it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

/** The message in which the host returns what a command printed. */
interface HostedResult {
  readonly code: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Maximum milliseconds of a test's command. */
const TIMEOUT_MS = 180_000;

/** The process that runs command lines for the tests of this worker, and whether it runs one now. */
let host: { readonly process: ChildProcess; busy: boolean } | undefined;

/**
 * Runs `millrace` with these arguments, in pipes. Tests of signals, pipes and leftovers use {@link millraceProcess},
 * which starts a process. Commands that run beside another one also get their own.
 */
export async function millrace(
  words: readonly string[],
  { env = {}, cwd, input = '' }: CommandOptions,
): Promise<CommandResult> {
  host ??= { process: await startHost(), busy: false };
  if (host.busy) return await millraceProcess(words, { env, cwd, input });
  const { process: child } = host;
  host.busy = true;
  try {
    const result = once(child, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    child.send({ words, env: environmentOf(env), cwd, input });
    const [{ code, stdout, stderr }] = (await result) as [HostedResult];
    const bytes = Buffer.from(stdout);
    return { code, bytes, stdout: bytes.toString(), stderr: Buffer.from(stderr).toString() };
  } catch (error) {
    // Whatever still runs there must not disturb the next command.
    child.kill('SIGKILL');
    host = undefined;
    throw error;
  } finally {
    if (host !== undefined) host.busy = false;
  }
}

async function startHost(): Promise<ChildProcess> {
  const child = fork(hostProgram, { serialization: 'advanced', env: environmentOf({}), stdio: 'inherit' });
  await once(child, 'message');
  // The host ends with this process, and does not keep it alive.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Runs `millrace` as its own process. */
export async function millraceProcess(
  words: readonly string[],
  { env = {}, cwd, input = '', meanwhile }: ProcessOptions,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env: environmentOf(env),
    stdio: 'pipe',
    timeout: TIMEOUT_MS,
  });
  child.stdin.end(input);
  meanwhile?.((signal) => child.kill(signal));
  return await resultOf(child);
}

/** Runs a shell command line in which `millrace` is the program under test. */
export async function shell(
  line: string,
  { env = {}, cwd, timeout = TIMEOUT_MS }: CommandOptions,
): Promise<CommandResult> {
  const script = `set -o pipefail; millrace() { "$NODE" "$PROGRAM" "$@"; }\n${line}`;
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: { ...environmentOf(env), NODE: process.execPath, PROGRAM: program },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  });
  return await resultOf(child);
}

/** Waits until a process has ended. */
async function resultOf(
  child: ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream },
): Promise<CommandResult> {
  const [bytes, errorText, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, bytes, stdout: bytes.toString(), stderr: errorText.toString() };
}

/** Returns the path of a file that a command has printed, in its working folder. */
export function inFolder(cwd: string, output: string): string {
  return join(cwd, output.trim());
}
