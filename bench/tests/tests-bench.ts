import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/support/processes.ts';
import { createControlGroup } from '../control-group.ts';
import { type Cost, formatSpread, printLine } from '../measure.ts';

interface Row {
  readonly command: readonly [string, ...string[]];
  /** Command to run in the clone first. */
  readonly before: readonly [string, ...string[]] | undefined;
  /** Targets in minutes. */
  readonly target: { readonly wall: number; readonly cpu?: number };
}

const rows: Readonly<Record<string, Row>> = {
  npm: { command: ['npm', 'test'], before: ['npm', 'ci'], target: { wall: 5, cpu: 9 } },
  ci: { command: ['bash', '.ci/run'], before: undefined, target: { wall: 20 } },
};

/** Names of the rows, in order. */
export const testsRows: readonly string[] = Object.keys(rows);

/**
 * Runs the tests of the last commit in a fresh clone, and measures the elapsed time and the processor time of all
 * processes. Each round takes many minutes and prints the output of the tests.
 */
export async function testsBench(rounds: number, names: readonly string[]): Promise<void> {
  for (const [name, row] of Object.entries(rows)) {
    if (!names.includes(name)) continue;
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push(await runInClone(row));
    const minutes = (what: keyof Cost) => formatSpread(costs.map((cost) => cost[what] / 60));
    const { wall, cpu } = row.target;
    printLine(`${row.command.join(' ')} in a fresh clone:`);
    printLine(`  wall ${minutes('wall')} minutes (target ${wall})`);
    printLine(`  CPU  ${minutes('cpu')} minutes${cpu === undefined ? '' : ` (target ${cpu})`}`);
  }
}

/**
 * Runs the command of a row in a fresh clone.
 *
 * @throws Error if the tests fail.
 */
async function runInClone({ command, before }: Row): Promise<Cost> {
  const folder = await temporaryFolder();
  const group = await createControlGroup('millrace-bench');
  const run = promisify(execFile);
  try {
    // Some tests run as another user, who needs access to the folder.
    await chmod(folder.path, 0o755);
    await run('git', ['clone', '--quiet', '.', folder.path]);
    if (before !== undefined) await run(before[0], before.slice(1), { cwd: folder.path });
    // Waits until the process is in the control group.
    const waiting = ['-c', 'read -r _ && exec "$@"', 'sh', ...command];
    const child = spawn('sh', waiting, { cwd: folder.path, stdio: ['pipe', 'inherit', 'inherit'] });
    if (child.pid === undefined) throw new Error('sh could not be started');
    await group.add(child.pid);
    const startedAt = performance.now();
    child.stdin.end('\n');
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}`);
    return { wall: (performance.now() - startedAt) / 1000, cpu: await group.seconds() };
  } finally {
    await folder.delete();
    await group.remove();
  }
}
