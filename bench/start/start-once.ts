import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import { type Cost, cpuOf, peakMemoryOf } from '../measure.ts';

/** Cost of a start until the program was ready. */
export interface StartCost extends Cost {
  /** Megabytes. */
  readonly memory: number;
}

const TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/** Starts a Node program, waits until one of its URLs responds with 200, and stops it. */
export async function startOnce(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  path: string,
): Promise<StartCost> {
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: `${port}`, ...settings };
  const startedAt = performance.now();
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'ignore'] });
  try {
    const { pid } = child;
    if (pid === undefined) throw new Error(`${words.join(' ')} could not be started`);
    while (!(await isReady(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null) throw new Error(`${words.join(' ')} exited with ${child.exitCode}`);
      if (performance.now() - startedAt > TIMEOUT_MS)
        throw new Error(`${words.join(' ')} was not ready within a minute`);
      await delay(POLL_MS);
    }
    const wall = (performance.now() - startedAt) / 1000;
    return { wall, cpu: await cpuOf(pid), memory: (await peakMemoryOf(pid)) / 1e6 };
  } finally {
    const exit = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await exit;
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}
