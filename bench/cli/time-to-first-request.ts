import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { program } from '../../test/support/command-line.ts';
import { environmentOf } from '../../test/support/environment.ts';
import { type Cost, cpuOf } from '../measure.ts';
import type { Platform } from './platform.ts';

const TIMEOUT_MS = 60_000;

/** Runs `millrace` with these arguments until the platform receives its first request, then ends it. */
export async function timeToFirstRequest(words: readonly string[], platform: Platform, cwd: string): Promise<Cost> {
  const request = platform.nextRequest(AbortSignal.timeout(TIMEOUT_MS));
  const env = environmentOf({ EGRESS_CONNECT_TO: `*=${platform.url}`, TMPDIR: cwd });
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...words], { cwd, env, stdio: 'ignore' });
  const exit = once(child, 'exit');
  try {
    const early = exit.then(([code]) => Promise.reject(new Error(`millrace ${words[0]} exited with ${code}`)));
    const at = await Promise.race([request, early]);
    return { wall: (at - startedAt) / 1000, cpu: await cpuOf(child.pid ?? 0) };
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
}
