import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pidOf, startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { startBareServer } from '../api/bare-server.ts';
import { contextSwitchesOf, cpuOf, formatSpread, memoryOf, printLine } from '../measure.ts';

/**
 * Time before the observation. By then, the garbage from the start has been collected, and the first maintenance and
 * snapshot of the database are over.
 */
const SETTLING_MS = 75_000;
/**
 * Duration of the observation. It covers all regular work of the service, except for the snapshots every five minutes.
 */
const OBSERVATION_MS = 60_000;

/** Cost of an idle process tree. */
interface IdleCost {
  /** Megabytes (PSS) at the end. */
  readonly memory: number;
  /** Percent of a core. */
  readonly cpu: number;
  /** Wake-ups of all threads in a second. */
  readonly wakeups: number;
}

const rows: Readonly<
  Record<keyof IdleCost, { readonly label: string; readonly digits: number; readonly target: number }>
> = {
  memory: { label: 'MB (PSS of the process tree)', digits: 0, target: 240 },
  cpu: { label: '% of a core', digits: 2, target: 1 },
  wakeups: { label: 'wake-ups a second (all threads)', digits: 1, target: 40 },
};

/** Names of the rows, in order. */
export const idleRows: readonly string[] = Object.keys(rows);

/** Measures an idle service with all roles and metrics after its second start, beside an idle bare Fastify process. */
export async function idleBench(rounds: number, names: readonly string[]): Promise<void> {
  const lab = await startLab();
  const folder = await temporaryFolder();
  const file = join(folder.path, 'body.json');
  await writeFile(file, '{}');
  const data = join(folder.path, 'data');
  const bare = await startBareServer(file);
  try {
    await (await startService(lab.url, data)).stop();
    const ours: IdleCost[] = [];
    const theirs: IdleCost[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const service = await startService(lab.url, data, { ADMIN_PORT: '0' });
      await delay(SETTLING_MS);
      // Observed concurrently, so other work on the machine affects both.
      const [own, peer] = await Promise.all([observe(pidOf(service)), observe(bare.pid)]);
      ours.push(own);
      theirs.push(peer);
      await service.stop();
    }
    report(ours, theirs, names);
  } finally {
    bare.stop();
    await lab.stop();
    await folder.delete();
  }
}

async function observe(pid: number): Promise<IdleCost> {
  const before = { cpu: await cpuOf(pid), waits: await contextSwitchesOf(pid), at: performance.now() };
  await delay(OBSERVATION_MS);
  const seconds = (performance.now() - before.at) / 1_000;
  return {
    cpu: (((await cpuOf(pid)) - before.cpu) / seconds) * 100,
    wakeups: ((await contextSwitchesOf(pid)) - before.waits) / seconds,
    memory: (await memoryOf(pid)) / 1e6,
  };
}

function report(ours: readonly IdleCost[], theirs: readonly IdleCost[], names: readonly string[]): void {
  printLine('an idle service, all roles, second start (in brackets an idle bare Fastify process):');
  for (const name of Object.keys(rows) as (keyof IdleCost)[]) {
    if (!names.includes(name)) continue;
    const { label, digits, target } = rows[name];
    const [own, peer] = [ours, theirs].map((list) =>
      formatSpread(
        list.map((idle) => idle[name]),
        digits,
      ),
    );
    printLine(`  ${name}: ${own} [${peer}] ${label}, target ${target}`);
  }
}
