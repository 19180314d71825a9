import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Cost } from '../measure.ts';

/** `node -e 0`, apart from saying what processor time it took. */
const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)';

/** The peer: what it takes to start a bare Node and to end it. */
export async function timeBareNode(): Promise<Cost> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { wall: (performance.now() - startedAt) / 1000, cpu: Number(output) };
}
