import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const autocannon = join(dirname(createRequire(import.meta.url).resolve('autocannon/package.json')), 'autocannon.js');

/** The used part of autocannon's report (`--json`). */
interface LoadReport {
  readonly requests: { readonly average: number; readonly total: number };
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly throughput: { readonly average: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
}

/** Requests one URL from a separate process, as fast as responses arrive. */
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

/** Number of requests without a successful response. */
export function failureCount({ errors, timeouts, non2xx }: LoadReport): number {
  return errors + timeouts + non2xx;
}
