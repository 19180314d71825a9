import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StreamReport } from './read.ts';

const program = fileURLToPath(new URL('read.ts', import.meta.url));
const timeLimit = 30_000;

/**
 * Decodes a file or what an address leads to, in a process of its own.
 *
 * @throws Error when the engine cannot open it, or complains about anything in it.
 */
export async function read(address: string): Promise<readonly StreamReport[]> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, address], { timeout: timeLimit });
  if (stderr !== '') throw new Error(`The engine complains about ${address}: ${stderr}`);
  return JSON.parse(stdout) as StreamReport[];
}
