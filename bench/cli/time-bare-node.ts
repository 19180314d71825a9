import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Cost } from '../measure.ts';

/** A script that only prints the processor time that it took, and otherwise does nothing, like `node -e 0`. */
const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)';

/** Measures the peer: the start and the end of a bare Node process. */
export async function timeBareNode(): Promise<Cost> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { wall: (performance.now() - startedAt) / 1000, cpu: Number(output) };
}
