import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { program } from './command-line.ts';
import { environmentOf } from './environment.ts';

/** A command that runs in a terminal. */
interface TerminalRun {
  /** Returns everything that the terminal received so far. */
  output(): string;
  /** Waits until the terminal has received a match. */
  until(what: RegExp): Promise<void>;
  /** Types keys; `\u0003` is Ctrl-C. */
  type(keys: string): void;
  /** Waits for its end, and returns the exit code. */
  ended(): Promise<number | null>;
}

/** Only ends what hangs: the command may start a service. */
const TIMEOUT_MS = 540_000;

/** Options of a command in a terminal. */
interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Called with each text that the terminal receives. */
  readonly onOutput?: (text: string) => void;
  /** Maximum duration in milliseconds. */
  readonly timeout?: number;
}

/** Columns of every terminal. */
export const columns = 100;

/** Runs `millrace` in a pseudo-terminal. */
export function millraceInTerminal(words: readonly string[], setting: TerminalOptions): TerminalRun {
  return runInTerminal([process.execPath, program, ...words], setting);
}

/** Runs a program in a pseudo-terminal of {@link columns}, with `script` from util-linux. */
export function runInTerminal(
  words: readonly string[],
  { env = {}, cwd, onOutput, timeout = TIMEOUT_MS }: TerminalOptions,
): TerminalRun {
  const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // The command replaces the shell that has set the size, so Ctrl-C reaches the command.
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows 30; exec ${line}`, '/dev/null'], {
    cwd,
    env: environmentOf({ TERM: 'xterm-256color', ...env }),
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onOutput?.(text);
  });
  const exit = once(child, 'exit');
  return {
    output: () => output,
    async until(what) {
      const deadline = Date.now() + timeout;
      while (!what.test(output)) {
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${what} was not shown:\n${output}`);
        await delay(20);
      }
    },
    type(keys) {
      child.stdin.write(keys);
    },
    async ended() {
      const [code] = await exit;
      return code;
    },
  };
}
