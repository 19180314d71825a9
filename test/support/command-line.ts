import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environmentOf } from './environment.ts';

/** The program under test, wherever it is run from. */
export const program = fileURLToPath(new URL('../../dist/bin/millrace.js', import.meta.url));

/** How a command is run. */
interface CommandOptions {
  /** Its whole environment beside PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that it is run in. */
  readonly cwd: string;
  /** What its input holds. */
  readonly input?: string;
  /** Is called with the program once it runs. */
  readonly meanwhile?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** How a command ended. */
interface CommandResult {
  /** The number that it ended with; null where a signal killed it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

/** No command of a test takes longer. */
const TIMEOUT_MS = 90_000;

/** Runs `millrace` with these words, in pipes. */
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

/** Runs a line of a shell in which `millrace` is the program under test. */
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

/** The path of a file in the folder that a command was run in. */
export function inFolder(cwd: string, output: string): string {
  return join(cwd, output.trim());
}
