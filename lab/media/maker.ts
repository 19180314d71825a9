import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { MakeTask } from './make/task.ts';

const program = fileURLToPath(new URL('make/main.ts', import.meta.url));
const timeLimit = 300_000;

/**
 * Carries out one task in a process of its own, whose working directory is `directory`.
 *
 * @throws Error with the maker's own words, or the signal's reason.
 */
export async function make(task: MakeTask, directory: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(
    process.execPath,
    [program, JSON.stringify(task)],
    { cwd: directory, env: {}, timeout: timeLimit, killSignal: 'SIGKILL', signal, maxBuffer: 1 << 20 },
    (error, _, stderr) => {
      if (error === null) return resolve();
      reject(
        signal.aborted
          ? signal.reason
          : new Error(`${task.output} could not be made: ${stderr.trim()}`, { cause: error }),
      );
    },
  );
  await promise;
}
