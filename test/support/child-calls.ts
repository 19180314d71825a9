import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TIME_LIMIT_MS = 110_000;

/** Functions that another process runs: their parameters and results are JSON. */
// biome-ignore lint/suspicious/noExplicitAny: any function may be called; the caller's types are those of the function.
export type Calls = Readonly<Record<string, (...args: any[]) => unknown>>;

interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * Returns a function that calls functions in a process running `program`, which must {@link serveCalls}. The process
 * starts with the first call, serves calls one at a time for as long as this process runs, and is restarted if it
 * ended. It suits modules that take longer to load than to run and may end their process.
 *
 * @returns A function that throws an Error with the message of the called function's error, or an Error if the process
 * ended or did not respond.
 */
export function callsTo<Procedures extends Calls>(program: URL) {
  let running: ChildProcess | undefined;
  let before: Promise<unknown> = Promise.resolve();

  function start(): ChildProcess {
    const child = fork(fileURLToPath(program), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('exit', () => {
      if (running === child) running = undefined;
    });
    // The child ends with this process, and does not keep it running.
    child.unref();
    child.channel?.unref();
    return child;
  }

  async function send(call: Call): Promise<unknown> {
    running ??= start();
    const child = running;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const hear = ({ value, error }: Reply) => {
      if (error === undefined) resolve(value);
      else reject(new Error(`${call.name} failed: ${error}`));
    };
    const end = () => reject(new Error(`${call.name} ended its process, or took too long`));
    const late = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
    child.once('message', hear).once('exit', end);
    try {
      child.send(call);
      return await promise;
    } finally {
      clearTimeout(late);
      child.off('message', hear).off('exit', end);
    }
  }

  return <Name extends keyof Procedures & string>(
    name: Name,
    ...args: Parameters<Procedures[Name]>
  ): Promise<Awaited<ReturnType<Procedures[Name]>>> => {
    const response = before.then(() => send({ name, args }));
    before = response.catch(() => undefined);
    // The program returns the result of its function of this name.
    return response as Promise<Awaited<ReturnType<Procedures[Name]>>>;
  };
}

/** Runs the calls of the process that started this one, until that process ends. */
export function serveCalls(calls: Calls): void {
  process.on('message', async ({ name, args }: Call) => {
    process.send?.(await replyTo(calls, name, args));
  });
  // A clean exit would run the destructors of the media library, which have been seen to crash.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

async function replyTo(calls: Calls, name: string, args: readonly unknown[]): Promise<Reply> {
  try {
    return { value: await calls[name]?.(...args) };
  } catch (error) {
    return { error: String(error instanceof Error ? error.stack : error) };
  }
}
