import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type CommandProcess, runCommandLine } from '../run-command-line.ts';

/*
 * Runs one command line after the other, from the sources, for tests that do not need their own process. A process for
 * each would spend most of its time on its own start.
 */

/** A command line to run. */
export interface HostedCommand {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly input: string;
}

/** What it printed, and its exit code. */
export interface HostedResult {
  readonly code: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

const home = process.cwd();

process.on('message', (command: HostedCommand) => void run(command).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function run({ words, env, cwd, input }: HostedCommand): Promise<HostedResult> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const texts = Promise.all([buffer(stdout), buffer(stderr)]);
  // Parts such as the folder for temporary files depend on the whole process.
  process.env = { ...env };
  process.chdir(cwd);
  try {
    const streams = { stdin, stdout, stderr } as unknown as CommandProcess;
    const code = await runCommandLine(words, { ...streams, env: process.env, on: () => process });
    stdout.end();
    stderr.end();
    const [out, error] = await texts;
    return { code: code ?? null, stdout: out, stderr: error };
  } finally {
    // The folder of a test can only be deleted on some systems if no process is in it.
    process.chdir(home);
  }
}
