import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/*
 * npm run test:busy [-- --only loops,core,disk,orders]
 *
 * Runs `npm test` under the conditions of other machines: beside two busy processes for each processor, on a single
 * processor, and with a disk that takes 50 ms longer for each flush. Then runs its files in ten random orders.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const ORDERS = 10;

/** A way in which the machine is busy. */
interface Burden {
  readonly name: string;
  /** The program that runs `npm test`, and its arguments. */
  readonly command?: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** Number of processes that only compute. */
  readonly loops?: number;
}

const slowFlushes = `--import=${new URL('slow-flushes.ts', import.meta.url).href}`;
const burdens: Readonly<Record<string, readonly Burden[]>> = {
  loops: [{ name: 'two busy processes for each processor', loops: 2 * availableParallelism() }],
  core: [{ name: 'one processor', command: ['taskset', '-c', '0', 'npm'] }],
  disk: [{ name: 'a disk with slow flushes', environment: { NODE_OPTIONS: slowFlushes } }],
  orders: Array.from({ length: ORDERS }, (_, seed) => ({
    name: `random order ${seed + 1}`,
    environment: { TEST_ORDER: String(seed + 1) },
  })),
};

const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(burdens).join(',') } } });
const results: (readonly [name: string, passed: boolean, seconds: number])[] = [];
for (const name of values.only.split(',')) {
  for (const burden of burdens[name] ?? unknown(name)) results.push(await run(burden));
}
for (const [name, passed, seconds] of results) {
  process.stdout.write(`${passed ? 'passed' : 'FAILED'} in ${Math.round(seconds / 6) / 10} min: ${name}\n`);
}
process.exitCode = results.every(([, passed]) => passed) ? 0 : 1;

function unknown(name: string): never {
  throw new Error(`--only may contain ${Object.keys(burdens).join(', ')}, and not ${name}`);
}

async function run({ name, command = ['npm'], environment = {}, loops = 0 }: Burden) {
  process.stdout.write(`\n${name}:\n`);
  const busy = Array.from({ length: loops }, startLoop);
  const started = performance.now();
  try {
    const [program, ...words] = command;
    const env = { ...process.env, ...environment };
    const [code] = await once(spawn(program, [...words, 'test'], { env, stdio: 'inherit', cwd: root }), 'exit');
    return [name, code === 0, (performance.now() - started) / 1_000] as const;
  } finally {
    for (const loop of busy) loop.kill();
  }
}

/** Starts a process that only computes. It ends with this one. */
function startLoop(): ChildProcess {
  const code =
    'process.on("disconnect", () => process.exit()); (function spin() { for (const end = Date.now() + 1000; Date.now() < end; ); setImmediate(spin); })();';
  return spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
