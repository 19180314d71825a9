import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { MakerCall, MakerResponse } from './make/main.ts';
import type { MakeTask } from './make/task.ts';

// This file is two folders below the root, as lab/media/maker.ts and in the bundle dist/lab/main.js.
const program = fileURLToPath(new URL('../../dist/lab/maker.js', import.meta.url));
const timeLimit = 300_000;
/** Milliseconds that an idle maker waits for its next task before it is ended. */
const idleLimit = 10_000;

/**
 * Idle makers with the timers that end them. They are reused because loading the engine takes longer than most tasks.
 */
const idle = new Map<ChildProcess, NodeJS.Timeout>();

/**
 * Runs one task in a process that has no other task at the time. The working directory of the process is `directory`.
 *
 * @throws Error with the maker's own message, or the signal's reason.
 */
export async function make(task: MakeTask, directory: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const maker = takeIdle() ?? start();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (words: string) => reject(new Error(`${task.output} could not be made: ${words}`));
  const hear = ({ error }: MakerResponse) => (error === undefined ? resolve() : fail(error));
  const end = () => (signal.aborted ? reject(signal.reason) : fail('its maker exited or timed out'));
  const kill = () => maker.kill('SIGKILL');
  const late = setTimeout(kill, timeLimit);
  maker.once('message', hear).once('exit', end);
  signal.addEventListener('abort', kill, { once: true });
  try {
    maker.send({ task, directory } satisfies MakerCall);
    await promise;
  } finally {
    clearTimeout(late);
    maker.off('message', hear).off('exit', end);
    signal.removeEventListener('abort', kill);
    if (maker.connected && !maker.killed) rest(maker);
  }
}

function takeIdle(): ChildProcess | undefined {
  const [maker] = idle.keys();
  if (maker === undefined) return undefined;
  clearTimeout(idle.get(maker));
  idle.delete(maker);
  maker.ref();
  maker.channel?.ref();
  return maker;
}

/** Keeps a maker for the next task. The maker does not keep this process alive, and exits together with it. */
function rest(maker: ChildProcess): void {
  const end = () => {
    // Before its exit is known, it must not get another task.
    idle.delete(maker);
    maker.kill('SIGKILL');
  };
  idle.set(maker, setTimeout(end, idleLimit).unref());
  maker.unref();
  maker.channel?.unref();
}

function start(): ChildProcess {
  const maker = fork(program, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  maker.once('exit', () => {
    clearTimeout(idle.get(maker));
    idle.delete(maker);
  });
  return maker;
}
