import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from './loop-stall.ts';

const BLOCK_MS = 150;

/** Uses the processor for a number of milliseconds; the clock would count what other programs use, too. */
function spin(milliseconds: number): void {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const end = used() + milliseconds;
  while (used() < end);
}

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

/**
 * Starts a server that runs a statement before it responds to a request. `count` is the number of the request; the first
 * one is not measured.
 */
async function serve(statement: string): Promise<{ url: string; process: ChildProcess }> {
  const source = `const spin = ${spin};
    let count = 0;
    const server = require('node:http').createServer((request, response) => {
      count += 1;
      ${statement};
      response.end('{}');
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const started = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  const [port] = (await once(started.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${Number(port)}`, process: started };
}

describe.skipIf(!canMeasureStalls)('the stall of an event loop (needs /proc)', () => {
  test('is the processor time for which a server blocks', async () => {
    const server = await serve(`if (count >= 2) spin(${BLOCK_MS})`);
    const { processor, wall, pings, failures } = await measureStall(server, async () => undefined);
    expect(processor).toBeGreaterThanOrEqual(BLOCK_MS);
    expect(processor).toBeLessThan(2 * BLOCK_MS);
    expect(wall).toBeGreaterThanOrEqual(processor);
    expect(pings).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  });

  test('is measured again if other programs may have lengthened it', async () => {
    const server = await serve(`if (count === 2) spin(${BLOCK_MS})`);
    let calls = 0;
    const { processor } = await measureStall(server, async () => {
      calls += 1;
    });
    expect(calls).toBe(2);
    expect(processor).toBeLessThan(MAX_STALL_MS);
  });

  test('is not the time for which a server waits for a processor', async () => {
    const wait = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${BLOCK_MS})`;
    const server = await serve(`if (count === 2) ${wait}`);
    const { processor, wall } = await measureStall(server, async () => undefined);
    expect(processor).toBeLessThan(BLOCK_MS / 2);
    expect(wall).toBeGreaterThanOrEqual(BLOCK_MS);
  });

  test('is short if the server works in slices, although the thread that asks for the measurement is busy', async () => {
    const server = await serve('if (count === 2) setInterval(() => spin(10), 0)');
    const { processor, pings } = await measureStall(server, async () => {
      spin(2 * BLOCK_MS);
    });
    expect(processor).toBeLessThan(BLOCK_MS);
    expect(pings).toBeGreaterThan(1);
  });

  test('reports the requests that got another response', async () => {
    const server = await serve('response.statusCode = 503');
    const { failures } = await measureStall(server, async () => undefined);
    expect(failures[0]).toBe('status 503');
  });
});
