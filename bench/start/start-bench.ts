import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../test/support/processes.ts';
import { formatSpread, pairedRatios, printLine } from '../measure.ts';
import { type StartCost, startOnce } from './start-once.ts';

/** The rows and their targets: seconds until ready, seconds of processor time, and peak megabytes. */
const targets = {
  first: { wall: 2, cpu: 2, memory: 350 },
  second: { wall: 1.2, cpu: 1.5, memory: 350 },
} as const;

type Row = keyof typeof targets;

/** Names of the rows, in order. */
export const startRows: readonly string[] = Object.keys(targets);

const service = 'dist/bin/service.js';
const bare = fileURLToPath(new URL('./bare-server-main.ts', import.meta.url));

/**
 * Measures from the start of the process until `/health` reports that all roles are ready: with an empty data folder,
 * and with the data folder that an orderly stop left behind. The peer, which is started alternately, is a Fastify
 * server with one route.
 */
export async function startBench(rounds: number, names: readonly string[]): Promise<void> {
  const ours: Record<Row, StartCost[]> = { first: [], second: [] };
  const theirs: StartCost[] = [];
  // The first round fills the compile cache and the disk's cache.
  for (let round = 0; round <= rounds; round += 1) {
    const folder = await temporaryFolder();
    try {
      const settings = { DATA_DIR: folder.path, LOG_LEVEL: 'warn' };
      const starts = [
        await startOnce([service], settings, '/health'),
        await startOnce([bare], settings, '/health'),
        await startOnce([service], settings, '/health'),
      ] as const;
      if (round === 0) continue;
      ours.first.push(starts[0]);
      theirs.push(starts[1]);
      ours.second.push(starts[2]);
    } finally {
      await folder.delete();
    }
  }
  for (const row of ['first', 'second'] as const) if (names.includes(row)) report(row, ours[row], theirs);
}

function report(row: Row, ours: readonly StartCost[], theirs: readonly StartCost[]): void {
  const { wall, cpu, memory } = targets[row];
  const values = (what: keyof StartCost) => ours.map((start) => start[what]);
  const ratio = (what: 'wall' | 'cpu') => formatSpread(pairedRatios(ours, theirs, what), 1);
  printLine(`${row} start to ready, all roles, against a bare Fastify server:`);
  printLine(`  wall   ${formatSpread(values('wall'))} s (target ${wall}), ${ratio('wall')} times the bare server's`);
  printLine(`  CPU    ${formatSpread(values('cpu'))} s (target ${cpu}), ${ratio('cpu')} times the bare server's`);
  printLine(`  memory ${formatSpread(values('memory'), 0)} MB at most, sum of all processes (target ${memory})`);
}
