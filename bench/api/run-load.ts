import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const autocannon = join(dirname(createRequire(import.meta.url).resolve('autocannon/package.json')), 'autocannon.js');

/** What autocannon tells (its `--json`), as far as it is used here. */
interface LoadReport {
  readonly requests: { readonly average: number; readonly total: number };
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly throughput: { readonly average: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
}

/** Asks for one address from a process of its own, as fast as answers come. */
export async function runLoad(
  url: string,
  headers: Readonly<Record<string, string>>,
  connections: number,
  seconds: number,
): Promise<LoadReport> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const numbers = ['-c', `${connections}`, '-d', `${seconds}`, '-t', '30'];
  const { stdout } = await run(process.execPath, [autocannon, '--json', ...numbers, ...flags, url], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as LoadReport;
}

/** Requests that were not answered with a success. */
export function failureCount({ errors, timeouts, non2xx }: LoadReport): number {
  return errors + timeouts + non2xx;
}
