import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environmentOf } from './environment.ts';

/** The program under test, independent of the working folder. */
export const program = fileURLToPath(new URL('../../dist/bin/millrace.js', import.meta.url));

/** Options of a command. */
interface CommandOptions {
  /** Its whole environment, except for PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working folder. */
  readonly cwd: string;
  /** Its standard input. */
  readonly input?: string;
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

/** Maximum milliseconds of a test's command. */
const TIMEOUT_MS = 90_000;

/** Runs `millrace` with these arguments, in pipes. */
export async function millrace(
  words: readonly string[],
  { env = {}, cwd, input = '', meanwhile }: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env: environmentOf(env),
    stdio: 'pipe',
    timeout: TIMEOUT_MS,
  });
  child.stdin.end(input);
  meanwhile?.((signal) => child.kill(signal));
  const [bytes, errorText, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, bytes, stdout: bytes.toString(), stderr: errorText.toString() };
}

/** Runs a shell command line in which `millrace` is the program under test. */
export async function shell(line: string, { env = {}, cwd }: CommandOptions): Promise<CommandResult> {
  const script = `set -o pipefail; millrace() { "$NODE" "$PROGRAM" "$@"; }\n${line}`;
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: { ...environmentOf(env), NODE: process.execPath, PROGRAM: program },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
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
