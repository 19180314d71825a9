import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../test/support/processes.ts';
import { formatSpread, pairedRatios, printLine } from '../measure.ts';
import { type StartCost, startOnce } from './start-once.ts';

/** What the table calls its rows, with their targets: seconds to ready, core-seconds, and megabytes at the most. */
const targets = {
  first: { wall: 2, cpu: 2, memory: 350 },
  second: { wall: 1.2, cpu: 1.5, memory: 350 },
} as const;

type Row = keyof typeof targets;

/** Names of the rows, in their order. */
export const startRows: readonly string[] = Object.keys(targets);

const service = 'dist/bin/service.js';
const bare = fileURLToPath(new URL('./bare-server-main.ts', import.meta.url));

/**
 * From the start of the process until `/health` says that all roles are ready: with a data directory that is empty, and with
 * one that an orderly stop left. The peer is a Fastify server with one route, started in turn.
 */
export async function startBench(rounds: number, names: readonly string[]): Promise<void> {
  const ours: Record<Row, StartCost[]> = { first: [], second: [] };
  const theirs: StartCost[] = [];
  // The first round is for the compiled code and the disk's cache.
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
  printLine(`  memory ${formatSpread(values('memory'), 0)} MB at most, all processes together (target ${memory})`);
}
